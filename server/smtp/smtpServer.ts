import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { createConnectionLimit, spoolShareKey } from "./connectionLimit.ts";
import { dataTimeoutMs, spoolBytes, spoolBytesPerNetwork } from "./limits.ts";
import * as replies from "./replies.ts";
import { type Certificate, ProtocolServer, protocolOptions } from "./smtpProtocol.ts";
import { createSpool, type Spool, type SpoolResult } from "./spool.ts";

/** Parameters of MAIL. */
export interface MailParameters {
  /** Bytes from SIZE; 0 when missing. */
  readonly size: number;
  /** Whether the envelope sender is empty, as in bounces (RFC 5321, 4.5.5). */
  readonly isNullSender: boolean;
}

/** Trace information of a transmission (RFC 5321, 4.4). */
export interface TraceInfo {
  /** Argument of HELO or EHLO; false when it was missing or unusable. */
  readonly helo: string | false;
  readonly remoteAddress: string;
  /** "SMTP" or "ESMTP". */
  readonly protocol: string;
  readonly smtpUtf8: boolean;
  readonly receivedAt: number;
}

/** A mail whose content has arrived completely. */
export interface ReceivedMail {
  readonly content: Buffer;
  /** The envelope sender; empty for the null sender. */
  readonly sender: string;
  readonly trace: TraceInfo;
  /** The memory limit of all mails being received, for copies of the content. */
  readonly memory: Pick<Spool, "reserve" | "release">;
}

/** What happens in one mail transaction, from MAIL to its end. A reply refuses; null accepts. */
export interface SmtpTransaction {
  readonly onRecipient: (address: string) => Promise<replies.SmtpReply | null>;
  /** Handles the mail; when it resolves with null, the mail is stored durably. It ends the transaction. */
  readonly onMail: (mail: ReceivedMail) => Promise<replies.SmtpReply | null>;
  /** Ends a transaction whose mail does not arrive; does nothing after `onMail`. */
  readonly end: () => void;
}

/** An SMTP server. */
export interface SmtpServer {
  /** Starts to listen; rejects when the port is not available. */
  readonly start: () => Promise<{ readonly port: number }>;
  /** Refuses new connections, finishes the mails being received, and resolves within 4 s. */
  readonly stop: () => Promise<void>;
  readonly ready: () => boolean;
}

export interface SmtpServerDeps {
  /** The name in the greeting and in the answer to EHLO. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Null disables STARTTLS. */
  readonly certificate: Certificate | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly beginTransaction: (parameters: MailParameters) => SmtpTransaction;
}

const spoolReplies: Readonly<Record<Exclude<SpoolResult["kind"], "whole">, replies.SmtpReply>> = {
  "too-large": replies.tooLarge,
  "no-room": replies.spoolFull,
  "too-slow": replies.tooSlow,
  gone: replies.localError,
};

/** Receives the content of a mail within the limits of memory and time, and hands it to its transaction. */
const receiveContent = async (
  spool: Spool,
  stream: SMTPServerDataStream,
  transaction: SmtpTransaction,
  envelope: Pick<ReceivedMail, "sender" | "trace">,
): Promise<replies.SmtpReply | null> => {
  try {
    const received = await spool.receive(stream, spoolShareKey(envelope.trace));
    if (received.kind !== "whole") return spoolReplies[received.kind];
    try {
      return await transaction.onMail({ ...envelope, content: received.content, memory: spool });
    } finally {
      spool.release(received.content.length);
    }
  } finally {
    transaction.end();
  }
};

/** Handlers of smtp-server: one transaction at a time in each session. */
const createSessions = ({ clock, log, beginTransaction }: SmtpServerDeps) => {
  const spool = createSpool(
    { capacity: spoolBytes, bytesPerNetwork: spoolBytesPerNetwork, timeoutMs: dataTimeoutMs },
    clock,
  );
  const connections = createConnectionLimit();
  const transactions = new WeakMap<SMTPServerSession, SmtpTransaction>();

  const endTransaction = (session: SMTPServerSession): void => {
    transactions.get(session)?.end();
    transactions.delete(session);
  };

  const toEnvelope = ({
    envelope,
    ...session
  }: SMTPServerSession): Pick<ReceivedMail, "sender" | "trace"> => ({
    sender: envelope.mailFrom ? envelope.mailFrom.address : "",
    trace: {
      helo: session.hostNameAppearsAs,
      remoteAddress: session.remoteAddress,
      protocol: session.transmissionType,
      smtpUtf8: envelope.smtpUtf8 ?? false,
      receivedAt: clock.now(),
    },
  });

  /** Replies with the result of a command; an exception is logged and answered with a temporary error. */
  const replyWith = (
    work: Promise<replies.SmtpReply | null>,
    answer: (error?: Error | null) => void,
  ): void => {
    work
      .catch((error: unknown) => {
        log.error({ error: errorTrace(error) }, "receiving a mail failed");
        return replies.localError;
      })
      .then((reply) => answer(reply && replies.toSmtpError(reply)));
  };

  const handlers: SMTPServerOptions = {
    onConnect: (session, answer) =>
      answer(connections.enter(session) ? null : replies.toSmtpError(replies.tooManyConnections)),
    onMailFrom: (address, session, answer) => {
      const declaredSize = address.args ? address.args["SIZE"] : 0;
      endTransaction(session);
      transactions.set(
        session,
        beginTransaction({ size: Number(declaredSize) || 0, isNullSender: address.address === "" }),
      );
      answer();
    },
    onRcptTo: ({ address }, session, answer) => {
      const transaction = transactions.get(session);
      replyWith(transaction ? transaction.onRecipient(address) : Promise.resolve(replies.localError), answer);
    },
    onData: (stream, session, answer) => {
      const transaction = transactions.get(session);
      // The session no longer ends this transaction: its reservations last until the content is handled.
      transactions.delete(session);
      if (!transaction) stream.resume();
      const work = transaction
        ? receiveContent(spool, stream, transaction, toEnvelope(session))
        : Promise.resolve(replies.localError);
      replyWith(work, (error) => {
        answer(error, "Queued");
      });
    },
    onClose: (session) => {
      connections.leave(session);
      endTransaction(session);
    },
  };
  return { handlers, endTransaction };
};

/** Creates an SMTP server that leaves recipients and mail to `beginTransaction`; it does not listen yet. */
export const createSmtpServer = (deps: SmtpServerDeps): SmtpServer => {
  const { handlers, endTransaction } = createSessions(deps);
  const server = new ProtocolServer(
    { ...protocolOptions(deps.name, deps.certificate), ...handlers },
    endTransaction,
  );
  let listening = false;
  // Broken connections are the client's problem and are logged at debug level only.
  server.on("error", (error: NodeJS.ErrnoException) =>
    deps.log.debug({ code: error.code }, "an SMTP connection failed"),
  );

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.server.once("error", reject);
        server.listen(deps.port, deps.host, () => {
          server.server.off("error", reject);
          const address = server.server.address();
          listening = true;
          resolve({ port: typeof address === "object" && address ? address.port : deps.port });
        });
      }),
    stop: async () => {
      listening = false;
      const closed = new Promise<void>((resolve) => server.close(resolve));
      server.closeIdle();
      await closed;
    },
    ready: () => listening,
  };
};
