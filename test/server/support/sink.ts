import { SMTPServer } from "smtp-server";
import { refuseBystander, refuseBystanderInMail } from "../../support/bystanderMarker.ts";

/** A mail as the next hop received it. */
export interface SunkMail {
  readonly from: string;
  readonly to: string;
  readonly content: Buffer;
  /** Whether MAIL had SMTPUTF8. */
  readonly isUtf8: boolean;
}

/** Returns the reply to a recipient or to a whole mail; null accepts it. */
export type Script = (mail: { readonly to: string; readonly tries: number }) => string | null;

/** Next hop that records the mails it receives and replies as a test defines. */
export interface Sink {
  readonly port: number;
  readonly mails: SunkMail[];
  /** Number of connections so far. */
  readonly connections: () => number;
  /** Number of connections that switched to TLS. */
  readonly secured: () => number;
  /** Replies to RCPT; `tries` counts the attempts with that recipient, this one included. */
  onRecipient: Script;
  /** Replies to the end of DATA. */
  onContent: Script;
  readonly close: () => Promise<void>;
}

const refusal = (answer: string): Error =>
  Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });

export interface SinkOptions {
  /** Delay in milliseconds before the reply to a mail. */
  readonly slowMs?: number;
  /** Offers STARTTLS with an untrusted certificate. */
  readonly startTls?: boolean;
  /** Offers neither 8BITMIME nor SMTPUTF8. */
  readonly takesSevenBit?: boolean;
  /** Does not offer SMTPUTF8. */
  readonly hidesUtf8?: boolean;
  /** Password that a client needs to send mail. */
  readonly password?: string;
}

export const startSink = async (options: SinkOptions = {}): Promise<Sink> => {
  const tries = new Map<string, number>();
  let connections = 0;
  let secured = 0;
  const countOf = (to: string): number => {
    const count = (tries.get(to) ?? 0) + 1;
    tries.set(to, count);
    return count;
  };
  const server = new SMTPServer({
    disabledCommands: [...(options.password ? [] : ["AUTH"]), ...(options.startTls ? [] : ["STARTTLS"])],
    allowInsecureAuth: true,
    // Servers take the addresses that their users have.
    lenientAddressParsing: true,
    hide8BITMIME: options.takesSevenBit ?? false,
    hideSMTPUTF8: options.takesSevenBit ?? options.hidesUtf8 ?? false,
    onAuth: ({ username, password }, _session, answer) =>
      answer(null, password === options.password ? { user: username } : { message: "no" }),
    onSecure: (_socket, _session, answer) => {
      secured += 1;
      answer();
    },
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, answer) => {
      connections += 1;
      answer();
    },
    onRcptTo: ({ address }, _session, answer) => {
      const answered = sink.onRecipient({ to: address, tries: countOf(address) });
      answer(answered === null ? null : refusal(answered));
    },
    onData: (stream, { envelope }, answer) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo[0]?.address ?? "";
        refuseBystander("the recipient of a mail", to);
        refuseBystanderInMail("a mail at the next hop", Buffer.concat(chunks));
        const answered = sink.onContent({ to, tries: tries.get(to) ?? 0 });
        if (answered === null)
          sink.mails.push({
            from: envelope.mailFrom ? envelope.mailFrom.address : "",
            to,
            content: Buffer.concat(chunks),
            isUtf8: envelope.smtpUtf8 === true,
          });
        setTimeout(() => answer(answered === null ? null : refusal(answered)), options.slowMs ?? 0);
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const sink: Sink = {
    port: typeof address === "object" && address ? address.port : 0,
    mails: [],
    connections: () => connections,
    secured: () => secured,
    onRecipient: () => null,
    onContent: () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of server.connections) connection.close();
      }),
  };
  return sink;
};
