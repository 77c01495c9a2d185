import { fdatasync, openSync, writev } from "node:fs";
import { createServer, type Socket } from "node:net";
import { Worker } from "node:worker_threads";

/** What a bare relay is told. */
export interface BareOptions {
  readonly port: number;
  readonly nextHop: number;
  /** The file that mails are appended to. */
  readonly file: string;
  readonly connections: number;
  /** RSA signatures of each copy. */
  readonly signatures: number;
}

export interface BareMail {
  readonly recipients: readonly string[];
  readonly bytes: Uint8Array;
}

/**
 * The least that a relay in Node does: no masks, rules, limits, log or encryption, nothing is checked and nothing retried.
 * It takes mail, appends it to a file, syncs the file once for all that arrived meanwhile, answers, and sends the
 * mail from a thread.
 */
const options = JSON.parse(process.env["BARE_RELAY"] ?? "{}") as BareOptions;
const file = openSync(options.file, "a");
const sender = new Worker(new URL("./bareSender.ts", import.meta.url), { workerData: options });

let waiting: { readonly mail: BareMail; readonly socket: Socket }[] = [];
let isSyncing = false;

const sync = (): void => {
  if (isSyncing || waiting.length === 0) return;
  isSyncing = true;
  const group = waiting;
  waiting = [];
  const mails = group.map(({ mail }) => mail);
  const bytes = mails.map((mail) => mail.bytes);
  writev(file, bytes, () =>
    fdatasync(file, () => {
      for (const { socket } of group) socket.write("250 2.0.0 Queued\r\n");
      sender.postMessage(mails);
      isSyncing = false;
      sync();
    }),
  );
};

const end = Buffer.from("\r\n.\r\n");

const serve = (socket: Socket): void => {
  let recipients: string[] = [];
  let parts: Buffer[] | null = null;

  const readContent = (content: Buffer[], chunk: Buffer): void => {
    content.push(chunk);
    const tail = chunk.length < end.length ? Buffer.concat(content.slice(-end.length)) : chunk;
    if (!tail.subarray(-end.length).equals(end)) return;
    const bytes = Buffer.concat(content).subarray(0, -3);
    parts = null;
    waiting.push({ mail: { recipients, bytes }, socket });
    sync();
  };

  const readCommand = (line: string): string => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "MAIL") recipients = [];
    if (verb === "RCPT") recipients.push(line.slice(line.indexOf("<") + 1, line.indexOf(">")));
    if (verb === "DATA") {
      parts = [];
      return "354 Go on\r\n";
    }
    if (verb === "QUIT") socket.end();
    return "250 2.0.0 OK\r\n";
  };

  socket.setNoDelay(true).on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    if (parts) readContent(parts, chunk);
    else socket.write(readCommand(chunk.toString("latin1")));
  });
  socket.write("220 bare.example ESMTP\r\n");
};

createServer(serve).listen(options.port, "127.0.0.1");
