import { outcomeOfReply, refusedHere } from "../smtpAnswer.ts";
import type { DeliveryOutcome } from "../transport.ts";
import type { Channel } from "./channel.ts";
import { ClientError, toClientError } from "./clientError.ts";
import type { ClientTimeouts } from "./clientTimeouts.ts";
import { mailCommand, needsUtf8, type OutgoingMail, toPath } from "./commands.ts";
import type { Extensions } from "./extensions.ts";
import { type MailBits, readMailBits } from "./mailBits.ts";
import type { Reply } from "./reply.ts";
import { DotStuffing } from "./stuffDots.ts";

/** Mails up to this size are sent in one round trip with their envelope when the server supports CHUNKING. */
const maxGroupBytes = 65_536;
/** Mails in progress per connection: one that the server processes, one that is being sent. */
const maxUnderWay = 2;
const maxMails = 100;

const isOk = ({ code }: Reply): boolean => code >= 200 && code < 300;
const isBusy = ({ code }: Reply): boolean => code === 421;

/**
 * True if a server refuses MAIL for what came before it. Some throw away what is written behind a content, for fear of smuggled
 * commands, and answer the lines with 503, or with 500 for the rest of a line.
 */
const isOutOfOrder = ({ code }: Reply): boolean => code >= 500 && code <= 503;

/** Returns the outcome of one recipient: its own refusal, or that of the whole mail. */
const outcomeOf = ([sender, ...others]: readonly Reply[], index: number, final: Reply): DeliveryOutcome => {
  if (sender && !isOk(sender)) return outcomeOfReply(sender);
  const own = others[index];
  return outcomeOfReply(own && !isOk(own) ? own : final);
};

const takesSevenBit = {
  kind: "permanent",
  answer: "554 5.6.3 The next server takes no mail of 8 bits",
} as const;

interface Paths {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly isUtf8: boolean;
}

/** A mail in progress: the server's answers to its envelope. */
interface Transaction {
  readonly mail: OutgoingMail;
  readonly paths: Paths;
  readonly replies: Reply[];
  /** True once the server may have all of the mail. */
  isWritten: boolean;
}

/**
 * A connection that is ready for mail. With PIPELINING (RFC 2920) commands are sent together, and the envelope
 * of the next mail with the content of the one before.
 */
export class ClientConnection {
  readonly #channel: Channel;
  #offered: Extensions;
  readonly #timeouts: ClientTimeouts;
  #underWay = 0;
  #sent = 0;
  #isWriting = false;
  #lastUsedAt = performance.now();
  #needsReset = false;
  #isLeaving = false;
  #hasRefusedEarly = false;
  /** Called when the connection may take another mail, or is no longer usable. */
  onChange: () => void = () => {};

  constructor(channel: Channel, offered: Extensions, timeouts: ClientTimeouts) {
    this.#channel = channel;
    this.#timeouts = timeouts;
    this.#offered = offered;
    channel.onFailure = () => this.onChange();
  }

  get isUsable(): boolean {
    return !this.#isLeaving && this.#channel.failure === null;
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  get canTake(): boolean {
    const atOnce = this.#offered.pipelining ? maxUnderWay : 1;
    return this.isUsable && !this.#isWriting && this.#underWay < atOnce && this.#sent < maxMails;
  }

  /** True if the server has refused a mail because it was written before the answer to the one before. */
  get hasRefusedEarly(): boolean {
    return this.#hasRefusedEarly;
  }

  get isWornOut(): boolean {
    return this.#sent >= maxMails;
  }

  /**
   * Sends one mail; returns the outcome for each recipient, or null when the server closed the connection before it had
   * the mail, or refused it as written too early. A server that has it and does not answer may have accepted it, so the
   * mail waits for its next attempt (RFC 5321, 4.5.4.1). Rejects with a `ClientError` when the connection fails.
   */
  async deliver(mail: OutgoingMail): Promise<readonly DeliveryOutcome[] | null> {
    const isFirst = this.#sent === 0;
    const isEarly = this.#underWay > 0;
    this.#sent += 1;
    this.#underWay += 1;
    this.#isWriting = true;
    const replies: Reply[] = [];
    const progress = { replies, isWritten: false };
    const isRefusedEarly = (): boolean => isEarly && replies[0] !== undefined && isOutOfOrder(replies[0]);
    const isUnread = (): boolean =>
      isRefusedEarly() || (!isFirst && replies[0] !== undefined && isBusy(replies[0]));
    try {
      const outcomes = await this.#transact(mail, progress);
      return isUnread() ? null : outcomes;
    } catch (error) {
      if (isUnread() || (!isFirst && replies.length === 0 && !progress.isWritten)) return null;
      const busy = replies.find(isBusy);
      if (!busy) throw error;
      return mail.recipients.map((_, index) => outcomeOf(replies, index, busy));
    } finally {
      if (isRefusedEarly()) this.#hasRefusedEarly = true;
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#isWriting = false;
      this.#lastUsedAt = performance.now();
      this.onChange();
    }
  }

  /** Writes each command from now on after the answer to the one before. */
  waitForAnswers(): void {
    this.#offered = { ...this.#offered, pipelining: false };
  }

  /** Sends QUIT and closes the connection. */
  quit(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const end = (): void => this.abort(new ClientError("ECONNECTION", "the connection has ended"));
    this.#channel.ask("QUIT\r\n", this.#timeouts.connectMs).then(end, end);
  }

  abort(error: ClientError): void {
    this.#channel.fail(error);
  }

  async #transact(
    mail: OutgoingMail,
    progress: Pick<Transaction, "replies" | "isWritten">,
  ): Promise<readonly DeliveryOutcome[]> {
    const chunks = mail.chunks();
    const bits = readMailBits(mail.chunks(), !this.#offered.eightBit);
    const paths = this.#pathsOf(mail, bits instanceof Promise ? await bits : bits);
    if ("kind" in paths) {
      this.#written();
      return mail.recipients.map(() => paths);
    }
    const { pipelining, chunking } = this.#offered;
    const transaction = Object.assign(progress, { mail, paths });
    const isFresh = this.#underWay > 1 || performance.now() - this.#lastUsedAt < this.#timeouts.freshMs;
    if (pipelining && chunking && isFresh && mail.size <= maxGroupBytes && Array.isArray(chunks))
      return this.#sendInOneGroup(transaction, chunks);
    const asked = await this.#sendEnvelope(transaction);
    return this.#sendContent(transaction, asked, chunks);
  }

  #pathsOf(mail: OutgoingMail, { header, hasEightBitBody }: MailBits): Paths | DeliveryOutcome {
    const sender = toPath(mail.sender);
    const recipients = mail.recipients.map(toPath).filter((path) => path !== null && path !== "");
    if (sender === null || recipients.length < mail.recipients.length)
      return refusedHere("553 5.1.3 An address is unusable");
    const paths = recipients.filter((path) => path !== null);
    const isUtf8 = needsUtf8([sender, ...paths]);
    if (isUtf8 && !this.#offered.smtpUtf8)
      return refusedHere("553 5.6.7 The next server takes no such address (SMTPUTF8)");
    const isHeaderTaken = header === "ascii" || this.#offered.smtpUtf8;
    if (hasEightBitBody || !isHeaderTaken)
      return { ...takesSevenBit, needsSevenBit: hasEightBitBody ? "all" : "header" };
    return { sender, recipients: paths, isUtf8: isUtf8 || header === "utf8" };
  }

  /** All of this mail is written, so the next one may start. */
  #written(): void {
    this.#isWriting = false;
    this.onChange();
  }

  /** No reply needs to be awaited: a failed connection shows in the commands after this one. */
  #reset(): Promise<Reply> {
    this.#needsReset = false;
    return this.#channel.ask("RSET\r\n", this.#timeouts.commandMs);
  }

  #envelopeCommands({ mail, paths }: Transaction): readonly string[] {
    return [
      mailCommand(paths.sender, mail.size, paths.isUtf8, this.#offered),
      ...paths.recipients.map((path) => `RCPT TO:<${path}>\r\n`),
    ];
  }

  async #hear({ replies }: Transaction, asked: Promise<Reply>): Promise<Reply> {
    const reply = await asked;
    replies.push(reply);
    if (isBusy(reply)) this.abort(new ClientError("ECONNECTION", "the server ends the connection"));
    return reply;
  }

  /** Sends envelope and content together as one BDAT chunk, which is refused when all recipients are. */
  async #sendInOneGroup(
    transaction: Transaction,
    chunks: readonly Buffer[],
  ): Promise<readonly DeliveryOutcome[]> {
    const { commandMs, contentMs } = this.#timeouts;
    // After a refused chunk a server needs RSET (RFC 3030, 2); the result of the previous one is not known yet.
    if (this.#needsReset || this.#underWay > 1) void this.#reset();
    const asked = this.#envelopeCommands(transaction).map((command) => this.#channel.ask(command, commandMs));
    this.#channel.writeText(`BDAT ${transaction.mail.size} LAST\r\n`);
    for (const chunk of chunks) this.#channel.write(chunk);
    transaction.isWritten = true;
    const answer = this.#channel.expect(contentMs);
    this.#written();
    for (const reply of asked) await this.#hear(transaction, reply);
    const final = await this.#hear(transaction, answer);
    if (!isOk(final)) this.#needsReset = true;
    return this.#outcomes(transaction, final);
  }

  /** Returns whether the server requests the content. */
  async #sendEnvelope(transaction: Transaction): Promise<Reply> {
    const { commandMs } = this.#timeouts;
    const reset = this.#needsReset ? this.#reset() : null;
    if (!this.#offered.pipelining) await reset;
    const commands = [
      ...this.#envelopeCommands(transaction),
      ...(this.#offered.chunking ? [] : ["DATA\r\n"]),
    ];
    let last: Reply | null = null;
    if (this.#offered.pipelining) {
      const asked = commands.map((command) => this.#channel.ask(command, commandMs));
      for (const reply of asked) last = await this.#hear(transaction, reply);
    } else
      for (const command of commands) {
        last = await this.#hear(transaction, this.#channel.ask(command, commandMs));
        if (command.startsWith("MAIL") && !isOk(last)) break;
      }
    return last ?? { code: 0, text: "", lines: [] };
  }

  #accepted({ paths, replies }: Transaction): boolean {
    const [first, ...others] = replies;
    return first !== undefined && isOk(first) && others.slice(0, paths.recipients.length).some(isOk);
  }

  async #sendContent(
    transaction: Transaction,
    asked: Reply,
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<readonly DeliveryOutcome[]> {
    const { chunking } = this.#offered;
    const { contentMs } = this.#timeouts;
    const isAccepted = this.#accepted(transaction);
    if (!isAccepted || (!chunking && asked.code !== 354)) {
      // A server that requests content without any recipient gets an empty one (RFC 2920, 3.1).
      if (asked.code === 354) await this.#channel.ask(".\r\n", contentMs);
      else this.#needsReset = true;
      this.#written();
      return this.#outcomes(transaction, asked);
    }
    if (chunking) this.#channel.writeText(`BDAT ${transaction.mail.size} LAST\r\n`);
    const stuffing = chunking ? null : new DotStuffing();
    try {
      await this.#writeChunks(chunks, stuffing);
    } catch (error) {
      // The server has a part of the content, which the next command would continue.
      this.abort(toClientError(error));
      throw error;
    }
    const answer = stuffing ? this.#channel.ask(stuffing.end(), contentMs) : this.#channel.expect(contentMs);
    this.#written();
    const final = await this.#hear(transaction, answer);
    if (chunking && !isOk(final)) this.#needsReset = true;
    return this.#outcomes(transaction, final);
  }

  async #writeChunks(
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
    stuffing: DotStuffing | null,
  ): Promise<void> {
    const write = (piece: Buffer): void => this.#channel.write(piece);
    const writeChunk = (chunk: Buffer): void => (stuffing ? stuffing.push(chunk, write) : write(chunk));
    if (Array.isArray(chunks)) {
      for (const chunk of chunks) writeChunk(chunk);
      this.#channel.allow(this.#timeouts.contentMs);
      return;
    }
    for await (const chunk of chunks) {
      writeChunk(chunk);
      if (this.#channel.needsDrain) await this.#channel.drained(this.#timeouts.blockMs);
    }
  }

  #outcomes({ paths, replies }: Transaction, final: Reply): readonly DeliveryOutcome[] {
    return paths.recipients.map((_, index) => outcomeOf(replies, index, final));
  }
}
