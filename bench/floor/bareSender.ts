import { generateKeyPairSync, sign } from "node:crypto";
import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { BareMail, BareOptions } from "./bareRelay.ts";

const { nextHop, connections, signatures } = workerData as BareOptions;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

/** What is still to be sent: each mail once for each of its recipients. */
const waiting: { readonly mail: BareMail; readonly recipient: string }[] = [];

const signedBy = (head: Buffer): string =>
  Array.from(
    { length: signatures },
    () => `DKIM-Signature: v=1; b=${sign("sha256", head, privateKey).toString("base64")}\r\n`,
  ).join("");

/** One connection to the next hop, which sends the next mail when the one before is answered. */
class Sender {
  readonly #socket: Socket;
  #left = 0;
  #content: readonly (string | Uint8Array)[] = [];

  constructor() {
    this.#socket = connect(nextHop, "127.0.0.1").setNoDelay(true);
    this.#socket.once("data", () => {
      this.#socket.write("EHLO bare.example\r\n");
      this.#socket.once("data", () => {
        this.#socket.setEncoding("latin1").on("data", (text) => this.#hear(String(text)));
        this.next();
      });
    });
  }

  get isIdle(): boolean {
    return this.#left === 0;
  }

  next(): void {
    const one = waiting.shift();
    if (!one) return;
    const { bytes } = one.mail;
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2_000));
    this.#content = [signedBy(head), bytes, ".\r\n"];
    this.#left = 4;
    this.#socket.write(`MAIL FROM:<bare@masks.localhost>\r\nRCPT TO:<${one.recipient}>\r\nDATA\r\n`);
  }

  #hear(text: string): void {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#left -= 1;
    if (this.#left === 1) {
      this.#socket.cork();
      for (const part of this.#content) this.#socket.write(part);
      this.#socket.uncork();
      this.#content = [];
    } else if (this.#left === 0) this.next();
  }
}

const senders = Array.from({ length: connections }, () => new Sender());

parentPort?.on("message", (mails: readonly BareMail[]) => {
  for (const mail of mails) for (const recipient of mail.recipients) waiting.push({ mail, recipient });
  for (const sender of senders) if (sender.isIdle) sender.next();
});
