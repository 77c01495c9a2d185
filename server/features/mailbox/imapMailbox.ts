import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import type { ImapFlow, ImapFlowOptions } from "imapflow";
import { interval } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { MailboxSettings } from "../../platform/config/config.ts";
import { errorCode } from "../../platform/errors/errorCode.ts";
import { isLoopback } from "../../platform/ops/networkOf.ts";
import { dataTimeoutMs, maxMailBytes } from "../../smtp/smtpLimits.ts";
import { MailboxError, type MailboxProblem, type MailInMailbox, type OpenMailbox } from "./mailbox.ts";

/** The mark of mails that stay, a keyword (RFC 9051, 2.3.2): another installation may want what is nobody's here. */
const leftKeyword = (maskDomain: DomainName): string =>
  `$Bauta-${createHash("sha256").update(maskDomain).digest("hex").slice(0, 8)}`;

/** Time limit for one answer. */
export const answerWithinMs = 2 * minuteMs;
const connectWithinMs = 30_000;
const tokenWithinMs = 30_000;
const maxTokenBytes = 16 * 1024;
const checkMs = 250;

const chunkBytes = 64 * 1024;
/** Bytes of one line, and of one literal: a little more than is ever asked for. */
const maxPieceBytes = 256 * 1024;
/** Bytes of the answer to one command, with what the server tells unasked. */
const maxAnswerBytes = 1024 * 1024;
const maxTokens = 20_000;

const problemByCode: Readonly<Record<string, MailboxProblem>> = {
  CONNECT_TIMEOUT: "unreachable",
  GREETING_TIMEOUT: "too-slow",
  UPGRADE_TIMEOUT: "too-slow",
  ETIMEOUT: "too-slow",
  ETIMEDOUT: "too-slow",
  ETHROTTLE: "too-slow",
  LineTooLarge: "too-much",
  LiteralTooLarge: "too-much",
  ResponseTooLarge: "too-much",
  TooManyTokens: "too-much",
  TooManyResponses: "too-much",
  DownloadOverflow: "too-much",
  ECONNREFUSED: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ENOTFOUND: "unreachable",
  EAI_AGAIN: "unreachable",
  NoConnection: "closed",
  EConnectionClosed: "closed",
  StateLogout: "closed",
  ClosedAfterConnectText: "closed",
  ClosedAfterConnectTLS: "closed",
  ECONNRESET: "closed",
  EPIPE: "closed",
};

const isOfTls = (code: string): boolean =>
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|STARTTLS)/.test(code);

const toMailboxError = (error: unknown): MailboxError => {
  if (error instanceof MailboxError) return error;
  const { authenticationFailed, tlsFailed } = (error ?? {}) as {
    readonly authenticationFailed?: boolean;
    readonly tlsFailed?: boolean;
  };
  if (authenticationFailed) return new MailboxError("refused-login");
  const code = errorCode(error);
  if (tlsFailed || isOfTls(code)) return new MailboxError("no-tls");
  return new MailboxError(problemByCode[code] ?? "wrong-answer");
};

/** Runs the operator's command in a shell and returns what it prints. */
const runTokenCommand = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { timeout: tokenWithinMs, maxBuffer: maxTokenBytes };
    execFile("/bin/sh", ["-c", command], options, (error, output) => {
      const token = output.trim();
      if (error || token === "") reject(new MailboxError("no-token"));
      else resolve(token);
    });
  });

export interface ImapMailboxDeps {
  readonly settings: MailboxSettings;
  /** Whose mail is fetched. */
  readonly maskDomain: DomainName;
  readonly clock: Pick<Clock, "scheduler" | "now">;
}

/** A connection whose answers are bounded in time and bytes: beyond, it is closed. */
class BoundedConnection {
  readonly client: ImapFlow;
  readonly #clock: ImapMailboxDeps["clock"];
  #failure: MailboxError | null = null;

  constructor(client: ImapFlow, clock: ImapMailboxDeps["clock"]) {
    this.client = client;
    this.#clock = clock;
    client.on("error", (error: unknown) => {
      this.#failure ??= toMailboxError(error);
    });
  }

  /** Waits for an answer of so many milliseconds and bytes at most. */
  async answer<A>(ask: () => Promise<A>, withinMs = answerWithinMs, maxBytes = maxAnswerBytes): Promise<A> {
    const received = this.client.stats().received;
    const until = this.#clock.now() + withinMs;
    let stop = (): void => {};
    const broken = new Promise<never>((_, reject) => {
      const checks = interval(checkMs, this.#clock.scheduler).subscribe(() => {
        const isTooMuch = this.client.stats().received - received > maxBytes;
        if (isTooMuch) reject(new MailboxError("too-much"));
        else if (this.#clock.now() > until) reject(new MailboxError("too-slow"));
      });
      stop = () => checks.unsubscribe();
    });
    try {
      return await Promise.race([ask(), broken]);
    } catch (error) {
      const cause = this.#failure && !(error instanceof MailboxError) ? this.#failure : toMailboxError(error);
      this.#failure ??= cause;
      this.client.close();
      throw cause;
    } finally {
      stop();
    }
  }
}

const optionsOf = (
  { host, port, secure, user, password }: MailboxSettings,
  token: string | null,
): ImapFlowOptions => ({
  host,
  port,
  secure,
  // Without TLS a password goes to this machine only.
  doSTARTTLS: secure ? undefined : !isLoopback(host),
  auth: token === null ? { user, pass: password ?? "" } : { user, accessToken: token },
  logger: false,
  clientInfo: { name: "Bauta" },
  disableAutoIdle: true,
  disableCompression: true,
  disableBinary: true,
  connectionTimeout: connectWithinMs,
  greetingTimeout: connectWithinMs,
  socketTimeout: 10 * minuteMs,
  maxIdleTime: 4 * minuteMs,
  maxLineLength: maxPieceBytes,
  maxLiteralSize: maxPieceBytes,
  maxResponseSize: maxAnswerBytes,
  maxResponseTokens: maxTokens,
});

const isUid = (uid: unknown): uid is number => Number.isInteger(uid) && (uid as number) > 0;

const rangeOf = (uids: readonly number[]): string => uids.join(",");

/** Reads a mail in pieces, whose number and time are bounded whatever size the server names. */
async function* piecesOf(
  connection: BoundedConnection,
  content: AsyncIterable<Buffer>,
  clock: ImapMailboxDeps["clock"],
): AsyncGenerator<Buffer> {
  const pieces = content[Symbol.asyncIterator]();
  const until = clock.now() + dataTimeoutMs;
  let bytes = 0;
  try {
    while (bytes <= maxMailBytes) {
      const next = await connection.answer(() => {
        if (clock.now() > until) throw new MailboxError("too-slow");
        return pieces.next();
      });
      if (next.done) return;
      bytes += next.value.length;
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/** Logs in, opens the folder and creates the one for fetched mail. */
const connect = async (connection: BoundedConnection, { folder, keepIn }: MailboxSettings) => {
  const { client } = connection;
  await connection.answer(() =>
    client.connect().catch((error: unknown) => {
      const isUnknownWay = error instanceof Error && /unsupported authentication/i.test(error.message);
      throw isUnknownWay ? new MailboxError("refused-login") : error;
    }),
  );
  const opened = await connection.answer(async () => {
    try {
      return await client.mailboxOpen(folder);
    } catch (error) {
      // The connection is fine where the server has said no.
      if ((error as { readonly responseStatus?: string }).responseStatus === "NO")
        throw new MailboxError("no-folder");
      throw error;
    }
  });
  if (opened.readOnly) throw new MailboxError("read-only");
  const { uidValidity } = opened;
  if (typeof uidValidity !== "bigint" || uidValidity < 1n || uidValidity > 0xffff_ffffn)
    throw new MailboxError("wrong-answer");
  if (keepIn !== null)
    await connection.answer(async () => {
      try {
        await client.mailboxCreate(keepIn);
      } catch (error) {
        if ((error as { readonly responseStatus?: string }).responseStatus !== "NO") throw error;
        // Some servers, such as Cyrus, do not say by a code (RFC 5530) that it is there.
        const isThere = await client.status(keepIn, { messages: true }).catch(() => false);
        if (isThere === false) throw new MailboxError("no-other-folder");
      }
    });
  return opened;
};

/** Opens the mailbox of the settings by IMAP. Rejects with a `MailboxError`. */
export const openImapMailbox = async ({
  settings,
  maskDomain,
  clock,
}: ImapMailboxDeps): Promise<OpenMailbox> => {
  const token = settings.tokenCommand === null ? null : await runTokenCommand(settings.tokenCommand);
  // Only an installation with a mailbox loads it.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow(optionsOf(settings, token));
  const connection = new BoundedConnection(client, clock);
  let hasCome = false;
  let wake = (): void => {};
  client.on("exists", ({ count, prevCount }: { readonly count: number; readonly prevCount: number }) => {
    if (count <= prevCount) return;
    hasCome = true;
    wake();
  });
  client.on("close", () => wake());
  const opened = await connect(connection, settings).catch((error: unknown) => {
    client.close();
    throw toMailboxError(error);
  });
  const { permanentFlags } = opened;
  const keyword = leftKeyword(maskDomain);
  const { keepIn } = settings;
  const byUid = { uid: true } as const;

  return {
    uidValidity: Number(opened.uidValidity),
    keepsMarks: permanentFlags === undefined || permanentFlags.has("\\*") || permanentFlags.has(keyword),
    count: () => (client.mailbox === false ? 0 : client.mailbox.exists),
    list: async (first, last) => {
      hasCome = false;
      // What is marked as deleted too: a session may have ended before it removed it.
      const query = { seq: `${first}:${last}`, unKeyword: keyword };
      const found = await connection.answer(() => client.search(query, byUid));
      if (!Array.isArray(found))
        return connection.answer(() => Promise.reject(new MailboxError("wrong-answer")));
      const uids = [...new Set(found)].sort((a, b) => a - b);
      if (uids.length > last - first + 1 || !uids.every(isUid))
        return connection.answer(() => Promise.reject(new MailboxError("wrong-answer")));
      return uids;
    },
    read: async (uid): Promise<MailInMailbox | null> => {
      const options = { ...byUid, chunkSize: chunkBytes };
      const { meta, content } = await connection.answer(() =>
        client.download(String(uid), undefined, options),
      );
      if (!content) return null;
      return { size: meta?.expectedSize ?? 0, content: piecesOf(connection, content, clock) };
    },
    mark: async (uids) => {
      await connection.answer(() => client.messageFlagsAdd(rangeOf(uids), [keyword], byUid));
    },
    remove: (uids) =>
      connection.answer(async () => {
        const done =
          keepIn === null
            ? await client.messageDelete(rangeOf(uids), byUid)
            : await client.messageMove(rangeOf(uids), keepIn, byUid);
        if (!done) throw new MailboxError("not-removed");
      }),
    wait: async (ms) => {
      if (hasCome) return;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timeOver = new Promise<void>((resolve) => {
        const timer = interval(ms, clock.scheduler).subscribe(() => resolve());
        void woken.then(() => timer.unsubscribe());
      });
      const idle = client.idle().then(
        () => {},
        () => {},
      );
      void idle;
      await connection.answer(() => Promise.race([woken, timeOver]), ms + answerWithinMs);
      wake();
      if (!client.usable) throw new MailboxError("closed");
    },
    close: () => {
      client.close();
      wake();
    },
  };
};
