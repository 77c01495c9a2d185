import PostalMime, { decodeWords } from "postal-mime";
import {
  maxHtmlLength,
  maxTextLength,
  type ParsedMail,
  parserLimits,
  toParsedMail,
} from "../../../core/mail/parsedMail.ts";
import { parseAuthor } from "../../mime/author.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, type MimeLeaf } from "../../mime/mimeLeaves.ts";

const emptyLine = Buffer.from("\r\n");

/** In bytes. */
const maxMainThreadHeaderBytes = 64 * 1024;

/** Every header has passed the same limits in `readHeaderBlock`. */
const parseWithLimits = async (content: Uint8Array): Promise<ParsedMail> => {
  const mail = await PostalMime.parse(content, parserLimits);
  const author = parseAuthor(mail.headers.find(({ key }) => key === "from")?.value ?? "");
  return { ...toParsedMail(mail, decodeWords), from: author.kind === "one" ? author.sender : null };
};

/** Parses what rules use of a header; returns null when it is too large or cannot be parsed. */
export const parseHeader = async (header: Uint8Array): Promise<ParsedMail | null> => {
  if (header.length > maxMainThreadHeaderBytes) return null;
  try {
    return await parseReducedMail({ content: header, hasText: false });
  } catch {
    return null;
  }
};

/** Parses what rules use of a whole mail; rejects when it cannot be parsed. */
export const parseMail = (content: Uint8Array): Promise<ParsedMail> => parseWithLimits(content);

/** Parses what rules use of a reduced mail; its text is null when it has only the header. */
export const parseReducedMail = async ({ content, hasText }: ReducedMail): Promise<ParsedMail> =>
  hasText
    ? parseMail(content)
    : { ...(await parseWithLimits(Buffer.concat([content, emptyLine]))), text: null };

/** The part of a mail that a worker thread parses. */
export interface ReducedMail {
  readonly content: Uint8Array;
  /** True if it has the text that a person reads; otherwise only the header. */
  readonly hasText: boolean;
}

/** Smaller mails are not reduced, in bytes. */
const maxUnreducedBytes = 128 * 1024;

/** UTF-8 has at most 3 bytes per UTF-16 unit (RFC 3629). */
const bytesOfCharacters = (characters: number): number => 3 * characters;

/** Maximum growth: 4 characters for 3 bytes, or 3 for each, plus line breaks. */
const base64Growth = 1.4;
const quotedPrintableGrowth = 3.2;
const equalsSign = 0x3d;
const cr = 0x0d;

/** Returns how many bytes of a quoted-printable text decode to `length` bytes, and how many they decode to. */
const takeQuotedPrintable = (part: Buffer, length: number): readonly [kept: number, decoded: number] => {
  const end = Math.min(part.length, Math.ceil(length * quotedPrintableGrowth));
  let at = 0;
  let decoded = 0;
  while (at < end && decoded < length) {
    const isEscape = part[at] === equalsSign;
    if (!isEscape || part[at + 1] !== cr) decoded += 1;
    at += isEscape ? 3 : 1;
  }
  return [Math.min(at, part.length), decoded];
};

const take = (part: Buffer, encoding: string, length: number): readonly [kept: number, decoded: number] => {
  if (encoding === "quoted-printable") return takeQuotedPrintable(part, length);
  const growth = encoding === "base64" ? base64Growth : 1;
  const kept = Math.min(part.length, Math.ceil(length * growth));
  return [kept, kept / growth];
};

/** An attached mail has no other encoding (RFC 2046, 5.2.1). */
const isUnencoded = ({ encoding }: MimeLeaf): boolean => ["", "7bit", "8bit", "binary"].includes(encoding);

type TextKind = "plain" | "html" | "mail";

const kindOf = (leaf: MimeLeaf): TextKind | null => {
  const { type, isAttachment } = leaf;
  if (type.startsWith("message/")) return isUnencoded(leaf) ? "mail" : null;
  if (isAttachment) return null;
  if (type === "" || type === "text/plain") return "plain";
  return type.startsWith("text/") ? "html" : null;
};

/**
 * Decoded bytes kept of all parts of a kind: one character more than rules use, so that a truncated text is
 * recognized; attached mails contain more than text.
 */
const keptBytes: Readonly<Record<TextKind, number>> = {
  plain: bytesOfCharacters(maxTextLength + 1),
  html: bytesOfCharacters(maxHtmlLength + 1),
  mail: 512 * 1024,
};

/** Returns where the kept beginning of each part ends. */
const createReduction = (content: Buffer): ((leaf: MimeLeaf) => number) => {
  const left: Record<TextKind, number> = { ...keptBytes };
  return (leaf) => {
    const kind = kindOf(leaf);
    if (kind === null) return leaf.start;
    const [kept, decoded] = take(content.subarray(leaf.start, leaf.end), leaf.encoding, left[kind]);
    left[kind] -= decoded;
    return leaf.start + kept;
  };
};

/**
 * Reduces a large mail to what a person reads: attachments are emptied and long texts truncated. A mail of too many
 * parts, whatever its size, is reduced to its header.
 */
export const reduceMail = (content: Buffer, header: HeaderBlock): ReducedMail => {
  const found = findMimeLeaves(content, header);
  if (!found) return { content: content.subarray(0, header.isText ? 0 : header.end), hasText: false };
  if (content.length <= maxUnreducedBytes) return { content, hasText: true };
  const endOfKeptBytes = createReduction(content);
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const leaf of found.leaves) {
    pieces.push(content.subarray(copied, endOfKeptBytes(leaf)));
    copied = leaf.end;
  }
  return { content: Buffer.concat([...pieces, content.subarray(copied)]), hasText: true };
};
