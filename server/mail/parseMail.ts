import PostalMime from "postal-mime";
import { maxTextLength, type ParsedMail, parserLimits, toParsedMail } from "../../core/mail/parsedMail.ts";
import type { HeaderBlock } from "../delivery/headerBlock.ts";
import { findMimeLeaves, type MimeLeaf } from "./mimeLeaves.ts";

const emptyLine = Buffer.from("\r\n");

/** Bytes of the largest header that is parsed outside a worker thread. */
const maxMainThreadHeaderBytes = 64 * 1024;

/** Parses with limits that every header has passed in `readHeaderBlock`. */
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

/** Bytes of a mail up to which it is not reduced. */
const maxUnreducedBytes = 128 * 1024;

/** Maximum bytes of text that rules look at: UTF-8 has at most 3 bytes for each unit of a string (RFC 3629). */
const maxTextBytes = 3 * maxTextLength;

/** The same after transfer encoding: 4 characters for 3 bytes, or 3 for each, plus line breaks. */
const maxEncodedBytes: Readonly<Record<string, number>> = {
  base64: maxTextBytes * 1.4,
  "quoted-printable": maxTextBytes * 3.2,
};

/** Bytes kept of HTML and of attached mails, which contain more than text. */
const maxOtherBytes = 1024 * 1024;

const endOfKeptBytes = ({ type, isAttachment, encoding, start, end }: MimeLeaf): number => {
  const isPlain = type === "" || type === "text/plain";
  const isOther = type.startsWith("text/") || type.startsWith("message/");
  const maxBytes = isPlain ? (maxEncodedBytes[encoding] ?? maxTextBytes) : isOther ? maxOtherBytes : 0;
  if (isAttachment && !type.startsWith("message/")) return start;
  return Math.min(end, start + Math.ceil(maxBytes));
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
