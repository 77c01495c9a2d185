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

/** The content of one mail from its first byte to its last. */
export interface IncomingContent {
  /** Adds pieces in order; the next call must wait for a returned promise. */
  readonly add: (pieces: readonly Buffer[]) => Promise<void> | null;
  /** Returns the reply that refuses what has arrived; null while it can still be accepted. */
  readonly refusal: () => SmtpReply | null;
  /** Returns the whole content, or the reply that explains why there is none. */
  readonly finish: () => Promise<WholeContent | Refused>;
  /** Frees all resources when the mail is stored or refused; may be called at any time and repeatedly. */
  readonly discard: () => void;
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
 * Creates a content that joins small pieces, normalizes line endings and counts bytes of the mail and its
 * network. A refused mail is read to its end, so that its sender gets the reply, but is not stored.
 */
export const createIncomingContent = (deps: IncomingContentDeps, declaredSize: number): IncomingContent => {
  const { beginContent, arriving, network } = deps;
  let content: ArrivingContent | null = beginContent(declaredSize);
  let refusal: SmtpReply | null = null;
  let small: Buffer[] = [];
  let smallLength = 0;
  let counted = 0;
  let received = 0;
  let lastByte = lf;
  let pendingCrs = 0;

  const uncount = (): void => {
    arriving.remove(network, counted);
    counted = 0;
  };
  const discard = (): void => {
    content?.discard();
    content = null;
    small = [];
    smallLength = 0;
    uncount();
  };
  const refuse = (reply: SmtpReply): void => {
    refusal ??= reply;
    discard();
  };

  /** Returns whether the bytes may be stored. */
  const count = (bytes: number): boolean => {
    received += bytes;
    if (refusal || !content) return false;
    if (received > maxMailBytes) refuse(tooLarge);
    else if (!arriving.add(network, bytes, received > maxBytesInMemory)) refuse(spoolFull);
    else counted += bytes;
    return refusal === null;
  };

  const keepSmall = (): Promise<void> | null => {
    if (smallLength === 0 || !content) return null;
    const [first] = small;
    const joined = small.length === 1 && first ? first : Buffer.concat(small, smallLength);
    small = [];
    smallLength = 0;
    return content.add(joined);
  };

  const keep = (piece: Buffer): Promise<void> | null => {
    if (piece.length >= smallBytes && smallLength === 0) return content?.add(piece) ?? null;
    small.push(piece);
    smallLength += piece.length;
    return smallLength >= smallBytes ? keepSmall() : null;
  };

  /** Withholds CRs at the end of a piece until it is known whether an LF follows. */
  const withoutCut = (piece: Buffer): Buffer => {
    const whole = pendingCrs > 0 ? Buffer.concat([Buffer.alloc(pendingCrs, cr), piece]) : piece;
    pendingCrs = 0;
    while (pendingCrs < maxLineEndCrs && whole[whole.length - 1 - pendingCrs] === cr) pendingCrs += 1;
    return whole.subarray(0, whole.length - pendingCrs);
  };

  const addPiece = (piece: Buffer): Promise<void> | null => {
    if (piece.length === 0 || !count(piece.length)) return null;
    const whole = withoutCut(piece);
    if (whole.length === 0) return null;
    const normal = normalizeLineEndings(whole);
    lastByte = normal[normal.length - 1] ?? lf;
    return keep(normal);
  };

  const addFrom = (pieces: readonly Buffer[], first: number): Promise<void> | null => {
    for (let index = first; index < pieces.length; index += 1) {
      const piece = pieces[index];
      const written = piece ? addPiece(piece) : null;
      if (written) return written.then(() => addFrom(pieces, index + 1) ?? undefined);
    }
    return null;
  };

  return {
    add: (pieces) => addFrom(pieces, 0),
    refusal: () => refusal,
    finish: async () => {
      if (pendingCrs > 0) await keep(Buffer.alloc(pendingCrs, " "));
      if (pendingCrs > 0 || lastByte !== lf) await keep(crlf);
      await keepSmall();
      const result = content ? await content.finish() : "failed";
      if (refusal) return refused(refusal);
      if (result === "failed") return refused(localError);
      return result === "no-room" ? refused(spoolFull) : { kind: "whole", content: result };
    },
    discard,
  };
};
