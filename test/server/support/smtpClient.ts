import { connect, type Socket } from "node:net";
import { refuseBystander } from "../../support/bystanderMarker.ts";

/** SMTP client that sends exactly the bytes a test gives it. */
export interface SmtpClient {
  /** Sends a line; returns the whole reply with its lines joined by "\n". */
  readonly say: (line: string) => Promise<string>;
  /** Sends bytes unchanged. */
  readonly write: (bytes: string | Uint8Array) => void;
  /** Returns the next whole reply; rejects when the server closes the connection before it. */
  readonly reply: () => Promise<string>;
  /** Sends MAIL, and RCPT for each recipient; returns the replies to RCPT. */
  readonly envelope: (from: string, recipients: readonly string[]) => Promise<readonly string[]>;
  /** Sends a whole mail with dot-stuffing; returns the final reply, or the first that refuses a recipient. */
  readonly mail: (
    from: string,
    recipients: readonly string[],
    content: string | Uint8Array,
  ) => Promise<string>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  /** Closes the connection without QUIT. */
  readonly destroy: () => void;
}

const isLast = (line: string): boolean => /^\d{3}(?: |$)/.test(line);

const readReplies = (socket: Socket): (() => Promise<string>) => {
  const replies: string[] = [];
  const waiting: { resolve: (reply: string) => void; reject: (error: Error) => void }[] = [];
  let rest = "";
  let lines: string[] = [];
  let over = false;

  const tell = (reply: string): void => {
    const next = waiting.shift();
    if (next) next.resolve(reply);
    else replies.push(reply);
  };
  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    refuseBystander("a reply of SMTP", String(text));
    const parts = (rest + text).split("\r\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines.push(line);
      if (isLast(line)) {
        tell(lines.join("\n"));
        lines = [];
      }
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    over = true;
    for (const { reject } of waiting.splice(0)) reject(new Error("the server hung up"));
  });
  return () =>
    new Promise((resolve, reject) => {
      const reply = replies.shift();
      if (reply !== undefined) resolve(reply);
      else if (over) reject(new Error("the server hung up"));
      else waiting.push({ resolve, reject });
    });
};

const stuffed = (content: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(content as Uint8Array);
  const text = bytes.toString("latin1").replace(/(^|\r\n)\./g, "$1..");
  return Buffer.from(`${text}${text === "" || text.endsWith("\r\n") ? "" : "\r\n"}.\r\n`, "latin1");
};

/**
 * Connects from an address of this machine, sends `first`, reads the greeting and sends `hello` unless it is empty.
 */
export const connectSmtp = async (
  port: number,
  hello = "EHLO client.example",
  localAddress = "127.0.0.1",
  first: Uint8Array = new Uint8Array(),
): Promise<SmtpClient> => {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  if (first.length > 0) socket.write(first);
  socket.setNoDelay(true);
  // A closed port of the ephemeral range may be the one that this socket gets: then it is connected to itself.
  socket.once("connect", () => {
    const isItself = socket.localPort === socket.remotePort && socket.localAddress === socket.remoteAddress;
    if (isItself) socket.destroy();
  });
  const reply = readReplies(socket);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const write = (bytes: string | Uint8Array): void => {
    socket.write(bytes);
  };
  const say = (line: string): Promise<string> => {
    write(`${line}\r\n`);
    return reply();
  };
  await reply();
  if (hello) await say(hello);

  const envelope = async (from: string, recipients: readonly string[]): Promise<readonly string[]> => {
    await say(`MAIL FROM:<${from}>`);
    const answers: string[] = [];
    for (const recipient of recipients) answers.push(await say(`RCPT TO:<${recipient}>`));
    return answers;
  };
  return {
    say,
    write,
    reply,
    envelope,
    mail: async (from, recipients, content) => {
      const refused = (await envelope(from, recipients)).find((answer) => !answer.startsWith("250"));
      if (refused !== undefined) {
        await say("RSET");
        return refused;
      }
      const go = await say("DATA");
      if (!go.startsWith("354")) return go;
      write(stuffed(content));
      return reply();
    },
    closed,
    destroy: () => socket.destroy(),
  };
};
