import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../mime/mimeLeaves.ts";
import { findTracking } from "./trackersInHtml.ts";

/** The maximum size of a changed HTML part in bytes. */
const maxHtmlBytes = 2 * 1024 * 1024;

/** Charsets in which a byte below 128 may not be ASCII. */
const nonAsciiCharsets = /^(?:utf-?(?:7|16|32)|iso-2022|hz-|ucs|csiso2022)/;

const isDisplayedHtml = ({ type, isAttachment, charset, start, end }: MimeLeaf): boolean =>
  type === "text/html" && !isAttachment && !nonAsciiCharsets.test(charset) && end - start <= maxHtmlBytes;

/**
 * Removes tracking pixels and links. Only the lines of HTML parts with such content change, in their own encoding;
 * all other bytes and signed or encrypted mails stay unchanged.
 */
export const withoutTrackers = (content: Buffer, header: HeaderBlock): Buffer => {
  const { leaves, isSealed } = findMimeLeaves(content, header) ?? { leaves: [], isSealed: true };
  if (isSealed) return content;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const { start, end, encoding: name } of leaves.filter(isDisplayedHtml)) {
    const encoding = findTransferEncoding(name);
    const part = content.subarray(start, end);
    const edits = encoding ? findTracking(encoding.decode(part)) : [];
    if (!encoding || edits.length === 0) continue;
    pieces.push(content.subarray(copied, start), encoding.edit(part, edits));
    copied = end;
  }
  return copied === 0 ? content : Buffer.concat([...pieces, content.subarray(copied)]);
};
