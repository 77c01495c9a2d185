import PostalMime from "postal-mime";
import {
  maxHtmlLength,
  maxTextLength,
  type ParsedMail,
  parserLimits,
  toParsedMail,
} from "../../core/mail/parsedMail.ts";
import type { HeaderBlock } from "../delivery/headerBlock.ts";
import { findMimeLeaves, type MimeLeaf } from "../delivery/mimeLeaves.ts";

const emptyLine = Buffer.from("\r\n");

/** In bytes. */
const maxMainThreadHeaderBytes = 64 * 1024;

/** Every header has passed the same limits in `readHeaderBlock`. */
const parseWithLimits = async (content: Uint8Array): Promise<ParsedMail> =>
  toParsedMail(await PostalMime.parse(content, parserLimits));

/** Parses what rules use of a header; returns null when it is too large or cannot be parsed. */
export const parseHeader = async (header: Uint8Array): Promise<ParsedMail | null> => {
  if (header.length > maxMainThreadHeaderBytes) return null;
  try {
    return { ...(await parseWithLimits(Buffer.concat([header, emptyLine]))), text: null };
  } catch {
    return null;
  }
};

/** Parses what rules use of a whole mail; rejects when it cannot be parsed. */
export const parseMail = (content: Uint8Array): Promise<ParsedMail> => parseWithLimits(content);

/** Smaller mails are not reduced, in bytes. */
const maxUnreducedBytes = 128 * 1024;

/** UTF-8 has at most 3 bytes per UTF-16 unit (RFC 3629). */
const bytesOfCharacters = (characters: number): number => 3 * characters;

/** Maximum growth: 4 characters for 3 bytes, or 3 for each, plus line breaks. */
const encodedLength: Readonly<Record<string, number>> = { base64: 1.4, "quoted-printable": 3.2 };

/** Bytes kept of attached mails, which contain more than text. */
const maxAttachedMailBytes = 1024 * 1024;

/** One character more than rules use, so that a truncated text is recognized. */
const maxKeptBytes = ({ type, encoding }: MimeLeaf): number => {
  const encoded = encodedLength[encoding] ?? 1;
  if (type === "" || type === "text/plain") return bytesOfCharacters(maxTextLength + 1) * encoded;
  if (type.startsWith("text/")) return bytesOfCharacters(maxHtmlLength + 1) * encoded;
  return type.startsWith("message/") ? maxAttachedMailBytes : 0;
};

const endOfKeptBytes = (leaf: MimeLeaf): number => {
  const { type, isAttachment, start, end } = leaf;
  if (isAttachment && !type.startsWith("message/")) return start;
  return Math.min(end, start + Math.ceil(maxKeptBytes(leaf)));
};

/** Reduces a large mail to what a person reads: attachments are emptied and long texts truncated. */
export const reduceMail = (content: Buffer, header: HeaderBlock): Buffer => {
  if (content.length <= maxUnreducedBytes) return content;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const leaf of findMimeLeaves(content, header)?.leaves ?? []) {
    pieces.push(content.subarray(copied, endOfKeptBytes(leaf)));
    copied = leaf.end;
  }
  return Buffer.concat([...pieces, content.subarray(copied)]);
};
