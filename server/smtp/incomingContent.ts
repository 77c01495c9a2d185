import { maxBytesInMemory } from "../platform/spool/arrivingContent.ts";
import type { ArrivingContent, BeginContent, MailContent } from "../platform/spool/mailContent.ts";
import type { ArrivingBytes } from "./connection/arrivingBytes.ts";
import { maxLineEndCrs, normalizeLineEndings } from "./lineEndings.ts";
import { maxMailBytes } from "./smtpLimits.ts";
import { localError, type Refused, refused, type SmtpReply, spoolFull, tooLarge } from "./smtpReplies.ts";

/** The content of a mail that has arrived as a whole. */
export interface WholeContent {
  readonly kind: "whole";
  readonly content: MailContent;
}

export interface IncomingContentDeps {
  readonly beginContent: BeginContent;
  readonly arriving: ArrivingBytes;
  /** The network that the bytes count for until the mail is stored or refused; null for this host. */
  readonly network: string | null;
}

/** Smaller pieces are joined, so that a slow sender does not cost an object for each byte. */
const smallBytes = 4_096;
const cr = 0x0d;
const lf = 0x0a;
const crlf = Buffer.from("\r\n");

/**
 * Takes the content of one mail from its first byte to its last: joins small pieces, normalizes line endings and counts
 * the bytes of the mail and of its network. A refused mail is read to its end, so that its sender gets the reply, but is not stored.
 */
export class IncomingContent {
  readonly #deps: IncomingContentDeps;
  #content: ArrivingContent | null;
  #refusal: SmtpReply | null = null;
  #small: Buffer[] = [];
  #smallLength = 0;
  #counted = 0;
  #received = 0;
  #lastByte = lf;
  #pendingCrs = 0;

  constructor(deps: IncomingContentDeps, declaredSize: number) {
    this.#deps = deps;
    this.#content = deps.beginContent(declaredSize);
  }

  /** Adds pieces in order; the next call must wait for a returned promise. */
  readonly add = (pieces: readonly Buffer[]): Promise<void> | null => this.#addFrom(pieces, 0);

  /** Returns the bytes that have arrived. */
  readonly size = (): number => this.#received;

  /** Returns the reply that refuses what has arrived; null while it can still be accepted. */
  readonly refusal = (): SmtpReply | null => this.#refusal;

  /** Returns the whole content, or the reply that explains why there is none. */
  readonly finish = async (): Promise<WholeContent | Refused> => {
    if (this.#pendingCrs > 0) await this.#keep(Buffer.alloc(this.#pendingCrs, " "));
    if (this.#pendingCrs > 0 || this.#lastByte !== lf) await this.#keep(crlf);
    await this.#keepSmall();
    const result = this.#content ? await this.#content.finish() : "failed";
    if (this.#refusal) return refused(this.#refusal);
    if (result === "failed") return refused(localError);
    return result === "no-room" ? refused(spoolFull) : { kind: "whole", content: result };
  };

  /** Frees all resources when the mail is stored or refused; may be called at any time and repeatedly. */
  readonly discard = (): void => {
    this.#content?.discard();
    this.#content = null;
    this.#small = [];
    this.#smallLength = 0;
    this.#uncount();
  };

  #uncount(): void {
    this.#deps.arriving.remove(this.#deps.network, this.#counted);
    this.#counted = 0;
  }

  #refuse(reply: SmtpReply): void {
    this.#refusal ??= reply;
    this.discard();
  }

  /** Returns whether the bytes may be stored. */
  #count(bytes: number): boolean {
    this.#received += bytes;
    if (this.#refusal || !this.#content) return false;
    if (this.#received > maxMailBytes) this.#refuse(tooLarge);
    else if (!this.#deps.arriving.add(this.#deps.network, bytes, this.#received > maxBytesInMemory))
      this.#refuse(spoolFull);
    else this.#counted += bytes;
    return this.#refusal === null;
  }

  #keepSmall(): Promise<void> | null {
    if (this.#smallLength === 0 || !this.#content) return null;
    const [first] = this.#small;
    const joined = this.#small.length === 1 && first ? first : Buffer.concat(this.#small, this.#smallLength);
    this.#small = [];
    this.#smallLength = 0;
    return this.#content.add(joined);
  }

  #keep(piece: Buffer): Promise<void> | null {
    if (piece.length >= smallBytes && this.#smallLength === 0) return this.#content?.add(piece) ?? null;
    this.#small.push(piece);
    this.#smallLength += piece.length;
    return this.#smallLength >= smallBytes ? this.#keepSmall() : null;
  }

  /** Withholds CRs at the end of a piece until it is known whether an LF follows. */
  #withoutCut(piece: Buffer): Buffer {
    const whole = this.#pendingCrs > 0 ? Buffer.concat([Buffer.alloc(this.#pendingCrs, cr), piece]) : piece;
    this.#pendingCrs = 0;
    while (this.#pendingCrs < maxLineEndCrs && whole[whole.length - 1 - this.#pendingCrs] === cr)
      this.#pendingCrs += 1;
    return whole.subarray(0, whole.length - this.#pendingCrs);
  }

  #addPiece(piece: Buffer): Promise<void> | null {
    if (piece.length === 0 || !this.#count(piece.length)) return null;
    const whole = this.#withoutCut(piece);
    if (whole.length === 0) return null;
    const normal = normalizeLineEndings(whole);
    this.#lastByte = normal[normal.length - 1] ?? lf;
    return this.#keep(normal);
  }

  #addFrom(pieces: readonly Buffer[], first: number): Promise<void> | null {
    for (let index = first; index < pieces.length; index += 1) {
      const piece = pieces[index];
      const written = piece ? this.#addPiece(piece) : null;
      if (written) return written.then(() => this.#addFrom(pieces, index + 1) ?? undefined);
    }
    return null;
  }
}
