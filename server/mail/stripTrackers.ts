import type { HeaderBlock } from "../delivery/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../delivery/mimeLeaves.ts";
import { stripTrackingFromHtml } from "./stripTrackingFromHtml.ts";

/** The maximum size of a changed HTML part in bytes. */
const maxHtmlBytes = 2 * 1024 * 1024;

/** Charsets in which a byte below 128 may not be ASCII. */
const nonAsciiCharsets = /^(?:utf-?(?:7|16|32)|iso-2022|hz-|ucs|csiso2022)/;

const isDisplayedHtml = ({ type, isAttachment, charset, start, end }: MimeLeaf): boolean =>
  type === "text/html" && !isAttachment && !nonAsciiCharsets.test(charset) && end - start <= maxHtmlBytes;

/**
 * Removes tracking pixels and links. Only HTML parts with such content are rewritten, in their own encoding;
 * all other bytes and signed or encrypted mails stay unchanged.
 */
export const stripTrackers = (content: Buffer, header: HeaderBlock): Buffer => {
  const { leaves, isSealed } = findMimeLeaves(content, header) ?? { leaves: [], isSealed: true };
  if (isSealed) return content;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const { start, end, encoding: name } of leaves.filter(isDisplayedHtml)) {
    const encoding = findTransferEncoding(name);
    const part = content.subarray(start, end);
    const html = encoding?.decode(part) ?? "";
    const clean = stripTrackingFromHtml(html);
    if (!encoding || clean === html) continue;
    pieces.push(content.subarray(copied, start), encoding.encode(clean, part));
    copied = end;
  }
  return copied === 0 ? content : Buffer.concat([...pieces, content.subarray(copied)]);
};
