import { connect, type Socket } from "node:net";

export interface Load {
  readonly port: number;
  readonly recipients: readonly string[];
  readonly mails: number;
  readonly sessions: number;
  /** Bytes of a mail. */
  readonly size: number;
  /** Whether a session sends all its mails over one connection. */
  readonly keepsConnections: boolean;
  readonly recipientsOfMail: number;
  /** The mail to send instead of one of `size` bytes, with CRLF line ends and nothing to stuff. */
  readonly mail?: Uint8Array;
}

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly seconds: number;
  /** The 99th percentile of the times from MAIL to the answer after the content, in ms. */
  readonly p99: number;
}

/** The domain of the author. */
export const senderDomain = "shop.example";

/** Returns a mail of about so many bytes. */
export const mailOfSize = (size: number): string => {
  const header = `From: Shop <orders@${senderDomain}>\r\nTo: <customer@home.example>\r\nSubject: A mail to measure with\r\n`;
  const line = `${"x".repeat(76)}\r\n`;
  return `${header}\r\n${line.repeat(Math.max(1, Math.round((size - header.length) / line.length)))}`;
};

/** Returns the function that waits for the next reply and returns its code. */
const createReadCode = (socket: Socket): (() => Promise<number>) => {
  let text = "";
  let waiting: {
    readonly resolve: (code: number) => void;
    readonly reject: (error: unknown) => void;
  } | null = null;
  const answer = (): void => {
    const [reply, code] = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\n/.exec(text) ?? [];
    if (!waiting || reply === undefined) return;
    text = text.slice(reply.length);
    const { resolve } = waiting;
    waiting = null;
    resolve(Number(code));
  };
  socket.setEncoding("latin1");
  socket.on("data", (part) => {
    text += part;
    answer();
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the connection was closed")));
  return () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      answer();
    });
};

/** Sends mails in parallel sessions, each command after the answer to the one before. */
export const sendLoad = async (load: Load): Promise<LoadResult> => {
  const { port, recipients, mails, sessions, keepsConnections, recipientsOfMail } = load;
  const content = Buffer.concat([Buffer.from(load.mail ?? mailOfSize(load.size)), Buffer.from(".\r\n")]);
  const times: number[] = [];
  let next = 0;
  let refused = 0;

  const sendOne = async (socket: Socket, readCode: () => Promise<number>, number: number): Promise<void> => {
    const say = (line: string | Buffer): Promise<number> => {
      socket.write(line);
      return readCode();
    };
    const began = performance.now();
    const codes = [await say("MAIL FROM:<orders@shop.example>\r\n")];
    for (let n = 0; n < recipientsOfMail; n += 1)
      codes.push(
        await say(`RCPT TO:<${recipients[(number * recipientsOfMail + n) % recipients.length]}>\r\n`),
      );
    codes.push(await say("DATA\r\n"));
    if (codes.at(-1) === 354) codes.push(await say(content));
    if (codes.at(-1) === 250) times.push(performance.now() - began);
    else refused += 1;
  };

  const runSession = async (): Promise<void> => {
    while (next < mails) {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      const readCode = createReadCode(socket);
      await readCode();
      socket.write("EHLO bench.example\r\n");
      await readCode();
      do {
        next += 1;
        await sendOne(socket, readCode, next);
      } while (keepsConnections && next < mails);
      socket.end("QUIT\r\n");
    }
  };

  const began = performance.now();
  await Promise.all(Array.from({ length: sessions }, runSession));
  const seconds = (performance.now() - began) / 1_000;
  const sorted = times.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN;
  return { accepted: times.length, refused, seconds, p99 };
};
