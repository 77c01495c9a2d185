import type { Socket } from "node:net";
import { type ContentReader, createChunkReader, createDataReader } from "../contentReader.ts";
import type { SmtpSession } from "../session.ts";
import { maxRefusals } from "../smtpLimits.ts";
import * as replies from "../smtpReplies.ts";
import type { Step } from "../step.ts";
import { InputBuffer } from "./inputBuffer.ts";
import { type ConnectionMode, timeoutOf } from "./timeouts.ts";

/** The dependencies and callbacks of a connection. */
interface ConnectionDeps {
  readonly session: SmtpSession;
  readonly greeting: string;
  readonly now: () => number;
  /** Calls back after a time, in milliseconds; returns what prevents it. */
  readonly after: (ms: number, call: () => void) => () => void;
  readonly secure: (socket: Socket) => Socket;
  /** True while the server only finishes what has started. */
  readonly isStopping: () => boolean;
  readonly onAccepted: () => void;
  readonly onError: (error: unknown) => void;
  /** Called with the code of a network error. */
  readonly onBroken: (code: string | undefined) => void;
  /** Called once, when nothing more is read and the connection needs no slot. */
  readonly onOver: () => void;
  /** Called once, when the connection is closed. */
  readonly onGone: () => void;
}

/** Replies are sent together up to this size in bytes. */
const maxReplyBytes = 16_384;

/** One connection: splits input into commands and content, and sends replies to a group of commands together. */
export class SmtpConnection {
  readonly #deps: ConnectionDeps;
  #socket: Socket;
  #mode: ConnectionMode = "waiting";
  readonly #input = new InputBuffer();
  #replies = "";
  #reader: ContentReader | null = null;
  #chunk: { readonly isLast: boolean } | null = null;
  #refusals = 0;
  #stopDelay = (): void => {};
  #hasEnded = false;
  #isOver = false;
  /** The time at which the connection last made progress. */
  #activeAt: number;
  #contentBeganAt = 0;
  readonly #handlers = {
    data: (bytes: Buffer): void => this.#receive(bytes),
    end: (): void => this.#onEnd(),
    drain: (): void => this.#advance(),
    close: (): void => this.#onClose(),
  };

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#deps = deps;
    this.#socket = socket;
    this.#activeAt = deps.now();
    this.#listenTo(socket);
  }

  /** Greets the client, unless it has already sent something. */
  greet(): void {
    if (this.#mode !== "waiting") return;
    this.#mode = "command";
    this.#activeAt = this.#deps.now();
    this.#replies = this.#deps.greeting;
    this.#flush();
  }

  /** Milliseconds that the server has waited for the client, in a TLS handshake too; -1 while the client waits. */
  idleMs(now: number): number {
    return this.#mode === "busy" || this.#mode === "closing" ? -1 : now - this.#activeAt;
  }

  /** Sends the reply as far as the network takes it at once, and cuts the connection off. */
  dismiss(reply: replies.SmtpReply): void {
    if (this.#mode !== "waiting" && this.#mode !== "securing" && this.#mode !== "closing") {
      this.#replies += replies.formatReply(reply);
      this.#flush();
    }
    this.#mode = "closing";
    this.#input.clear();
    this.#socket.destroy();
    this.#over();
  }

  /** Sends the reply and closes the connection. */
  refuse(reply: replies.SmtpReply): void {
    if (this.#mode === "closing") return;
    if (this.#mode !== "securing") this.#replies += replies.formatReply(reply);
    this.#close();
  }

  /** Closes the connection unless a command or a mail is being processed. */
  closeIfIdle(): void {
    if (this.#mode === "command" || this.#mode === "waiting" || this.#mode === "delayed")
      this.refuse(replies.shuttingDown);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Closes connections beyond their time limits. */
  enforceTimeouts(now: number): void {
    const contentMs = now - this.#contentBeganAt;
    const end = timeoutOf(this.#mode, { quietMs: now - this.#activeAt, contentMs });
    if (end === "destroy") this.destroy();
    else if (end) this.refuse(end);
  }

  #listenTo(socket: Socket): void {
    const { data, end, drain, close } = this.#handlers;
    socket.on("data", data).on("end", end).on("drain", drain).on("close", close);
    socket.on("error", ({ code }: NodeJS.ErrnoException) => this.#deps.onBroken(code));
  }

  #leave(socket: Socket): void {
    const { data, end, drain, close } = this.#handlers;
    socket.off("data", data).off("end", end).off("drain", drain).off("close", close);
  }

  #receive(bytes: Buffer): void {
    if (this.#mode === "closing") return;
    if (this.#mode === "waiting") {
      this.refuse(replies.spokeTooSoon);
      return;
    }
    this.#input.append(bytes);
    if (this.#mode === "busy" || this.#mode === "delayed") this.#socket.pause();
    else this.#advance();
  }

  #onEnd(): void {
    this.#hasEnded = true;
    if (this.#mode !== "busy" && this.#mode !== "closing") this.#close();
  }

  #onClose(): void {
    this.#mode = "closing";
    this.#input.clear();
    this.#over();
    this.#deps.onGone();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopDelay();
    this.#deps.session.reset();
    this.#deps.onOver();
  }

  #close(): void {
    this.#mode = "closing";
    this.#activeAt = this.#deps.now();
    this.#input.clear();
    this.#flush();
    this.#socket.end();
    this.#socket.resume();
    this.#over();
  }

  #flush(): void {
    if (this.#replies === "") return;
    const text = this.#replies;
    this.#replies = "";
    if (!this.#socket.destroyed) this.#socket.write(text);
  }

  /** Handles as much input as possible; waits while the client does not read the replies. */
  #advance(): void {
    while (this.#takeNext()) {
      if (this.#replies.length < maxReplyBytes) continue;
      this.#flush();
      if (!this.#socket.writableNeedDrain) continue;
      this.#socket.pause();
      return;
    }
    if (this.#mode === "command" || this.#mode === "content") this.#yieldTurn();
    else if (this.#mode === "busy" && this.#replies !== "") setImmediate(() => this.#flush());
  }

  #yieldTurn(): void {
    this.#flush();
    if (this.#input.isEmpty) this.#input.clear();
    if (this.#hasEnded) this.#close();
    else if (this.#mode === "command" && this.#deps.isStopping()) this.refuse(replies.shuttingDown);
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** Handles one command or chunk of content; returns whether to continue. */
  #takeNext(): boolean {
    if (this.#mode === "command") return this.#takeCommand();
    return this.#mode === "content" && this.#takeContent();
  }

  #takeCommand(): boolean {
    const line = this.#input.takeLine();
    if (line === null) return false;
    if (line === "too-long") {
      this.refuse(replies.lineTooLong);
      return false;
    }
    this.#activeAt = this.#deps.now();
    return this.#run(this.#deps.session.command(line));
  }

  #wait<A>(work: Promise<A>, then: (result: A) => boolean): false {
    this.#mode = "busy";
    work.then(
      (result) => {
        if (this.#mode === "busy" && then(result)) this.#advance();
      },
      (error: unknown) => {
        this.#deps.onError(error);
        this.refuse(replies.localError);
      },
    );
    return false;
  }

  /** Executes a step; returns whether to continue with the input. */
  #run(step: Step | Promise<Step>): boolean {
    if (!(step instanceof Promise)) return this.#do(step);
    return this.#wait(step, (done) => {
      this.#mode = "command";
      return this.#do(done);
    });
  }

  /** Lets an answer wait; the connection gives its slot up meanwhile when others need it. */
  #delay(ms: number, step: Step): false {
    this.#flush();
    this.#mode = "delayed";
    this.#stopDelay = this.#deps.after(ms, () => {
      if (this.#mode !== "delayed") return;
      this.#mode = "command";
      if (this.#do(step)) this.#advance();
    });
    return false;
  }

  #do({ delayMs = 0, ...step }: Step): boolean {
    if (delayMs > 0) return this.#delay(delayMs, step);
    const { code, text, next, endsGroup } = step;
    if (endsGroup && !this.#input.isEmpty) {
      this.refuse(replies.unsynchronized);
      return false;
    }
    this.#replies += text;
    if (code >= 500 && ++this.#refusals >= maxRefusals) {
      this.refuse(replies.tooManyRefusals);
      return false;
    }
    switch (next.kind) {
      case "command":
        return true;
      case "data":
        this.#beginContent(createDataReader(), null);
        return true;
      case "chunk":
        this.#beginContent(createChunkReader(next.size), next);
        return true;
      case "secure":
        this.#flush();
        this.#secure();
        return false;
      case "close":
        this.#close();
        return false;
      default:
        return next satisfies never;
    }
  }

  #beginContent(reader: ContentReader, chunk: { readonly isLast: boolean } | null): void {
    if (!this.#chunk) this.#contentBeganAt = this.#deps.now();
    this.#mode = "content";
    this.#reader = reader;
    this.#chunk = chunk;
  }

  #takeContent(): boolean {
    const { session } = this.#deps;
    const reader = this.#reader;
    if (!reader) return false;
    const { pieces, end } = this.#input.takeContent(reader);
    this.#activeAt = this.#deps.now();
    const written = session.content()?.add(pieces);
    if (!written) return this.#afterContent(end >= 0);
    this.#socket.pause();
    return this.#wait(written, () => {
      this.#mode = "content";
      return this.#afterContent(end >= 0);
    });
  }

  #afterContent(isComplete: boolean): boolean {
    if (!isComplete) {
      this.#yieldTurn();
      return false;
    }
    this.#mode = "command";
    this.#reader = null;
    const { session } = this.#deps;
    if (this.#chunk && !this.#chunk.isLast) return this.#do(session.chunkArrived());
    this.#chunk = null;
    return this.#run(
      session.contentArrived().then((step) => {
        if (step.code === 250) this.#deps.onAccepted();
        return step;
      }),
    );
  }

  #secure(): void {
    const plain = this.#socket;
    this.#mode = "securing";
    this.#activeAt = this.#deps.now();
    this.#leave(plain);
    const secured = this.#deps.secure(plain);
    this.#socket = secured;
    this.#listenTo(secured);
    secured.once("secure", () => {
      if (this.#mode !== "securing") return;
      this.#deps.session.secured();
      this.#activeAt = this.#deps.now();
      this.#mode = "command";
    });
  }
}
