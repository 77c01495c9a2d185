import type { Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { ClientError, toClientError } from "./clientError.ts";
import { type Reply, ReplyReader } from "./reply.ts";

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: ClientError) => void;
  readonly timeoutMs: number;
}

const checkIntervalMs = 1_000;
const ignore = (): void => {};

/**
 * A connection as a queue of commands and replies. Writes in one turn of the event loop are sent together.
 * After a failure every reply rejects.
 */
export class Channel {
  #socket: Socket;
  #replies = new ReplyReader();
  readonly #waiting: Waiting[] = [];
  #text = "";
  #isCorked = false;
  #failure: ClientError | null = null;
  #deadline = Number.POSITIVE_INFINITY;
  #onDrain: (() => void) | null = null;
  readonly #timer: NodeJS.Timeout;
  /** Called once, when the connection can no longer be used. */
  onFailure: (error: ClientError) => void = ignore;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#timer = setInterval(() => this.#checkDeadline(), checkIntervalMs).unref();
    this.#listenTo(socket);
  }

  get failure(): ClientError | null {
    return this.#failure;
  }

  get needsDrain(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Sends a command; the promise never causes an unhandled rejection. */
  ask(command: string, timeoutMs: number): Promise<Reply> {
    this.#cork();
    this.#text += command;
    return this.expect(timeoutMs);
  }

  /** Waits for a reply without sending anything. */
  expect(timeoutMs: number): Promise<Reply> {
    const reply = new Promise<Reply>((resolve, reject) => {
      if (this.#failure) reject(this.#failure);
      else this.#waiting.push({ resolve, reject, timeoutMs });
    });
    reply.catch(ignore);
    if (this.#waiting.length === 1) this.allow(timeoutMs);
    return reply;
  }

  /** Sends bytes, which must not change afterwards. */
  write(bytes: Buffer): void {
    this.#cork();
    this.#writeText();
    this.#socket.write(bytes);
  }

  writeText(text: string): void {
    this.#cork();
    this.#text += text;
  }

  /** Restarts the server's time limit. */
  allow(timeoutMs: number): void {
    this.#deadline = Date.now() + timeoutMs;
  }

  /** Resolves when more can be written; rejects after a failure. */
  drained(timeoutMs: number): Promise<void> {
    this.#uncork();
    if (this.#failure) return Promise.reject(this.#failure);
    if (!this.needsDrain) return Promise.resolve();
    this.allow(timeoutMs);
    return new Promise((resolve, reject) => {
      this.#onDrain = () => (this.#failure ? reject(this.#failure) : resolve());
    });
  }

  /** Starts TLS; fails when the server sent more in clear text, because that part is not authenticated. */
  secure(options: ConnectionOptions, timeoutMs: number): Promise<TLSSocket> {
    if (this.#replies.isWithin) this.fail(new ClientError("ETLS", "the server said more before TLS began"));
    if (this.#failure) return Promise.reject(this.#failure);
    this.#socket.removeAllListeners("data").removeAllListeners("drain").removeAllListeners("close");
    this.allow(timeoutMs);
    const secured: TLSSocket = connectTls({ ...options, socket: this.#socket });
    this.#socket = secured;
    return new Promise((resolve, reject) => {
      this.#onDrain = () => reject(this.#failure ?? new ClientError("ETLS", "TLS failed"));
      this.#listenTo(secured, "ETLS");
      secured.once("secureConnect", () => {
        this.#onDrain = null;
        resolve(secured);
      });
    });
  }

  /** Ends the connection; all pending replies reject. */
  fail(error: ClientError): void {
    if (this.#failure) return;
    this.#failure = error;
    clearInterval(this.#timer);
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#onDrain?.();
    this.onFailure(error);
  }

  #listenTo(socket: Socket, code: "ECONNECTION" | "ETLS" = "ECONNECTION"): void {
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("drain", () => {
      const onDrain = this.#onDrain;
      this.#onDrain = null;
      onDrain?.();
    });
    socket.on("error", (error) => this.fail(toClientError(error, code)));
    socket.on("close", () => this.fail(new ClientError(code, "the server closed the connection")));
  }

  #receive(bytes: Buffer): void {
    try {
      this.#replies.push(bytes, (reply) => this.#answer(reply));
    } catch (error) {
      this.fail(toClientError(error, "EPROTOCOL"));
    }
  }

  #answer(reply: Reply): void {
    const first = this.#waiting.shift();
    const [next] = this.#waiting;
    if (next) this.allow(next.timeoutMs);
    else this.#deadline = Number.POSITIVE_INFINITY;
    if (first) first.resolve(reply);
    else this.fail(new ClientError("EPROTOCOL", `the server said without a question: ${reply.code}`));
  }

  #checkDeadline(): void {
    if (Date.now() > this.#deadline) this.fail(new ClientError("ETIMEDOUT", "the server took too long"));
  }

  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => this.#uncork());
  }

  #writeText(): void {
    if (this.#text === "") return;
    const text = this.#text;
    this.#text = "";
    if (!this.#failure) this.#socket.write(text);
  }

  #uncork(): void {
    this.#writeText();
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#socket.uncork();
  }
}
