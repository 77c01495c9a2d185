import type { HeaderBlock } from "./headerBlock.ts";
import { type MimeLeaf, mimeLeaves } from "./mimeLeaves.ts";
import { transferEncoding } from "./transferEncoding.ts";
import { untrackedHtml } from "./untrackedHtml.ts";

/** More than a mail that is read; what is larger stays as it is. */
const largestHtml = 2 * 1024 * 1024;

/** Charsets in which a byte below 128 may be something else than ASCII. */
const notAscii = /^(?:utf-?(?:7|16|32)|iso-2022|hz-|ucs|csiso2022)/;

/** HTML that a reader is shown. */
const isShown = ({ type, isAttachment, charset, start, end }: MimeLeaf): boolean =>
  type === "text/html" && !isAttachment && !notAscii.test(charset) && end - start <= largestHtml;

/**
 * A mail without tracking pixels and link trackers. Only HTML that has some is written anew, in the encoding it came
 * in; every other byte stays, and so does all of a mail that is signed or encrypted.
 */
export const withoutTrackers = (content: Buffer, header: HeaderBlock): Buffer => {
  const { leaves, isSealed } = mimeLeaves(content, header) ?? { leaves: [], isSealed: true };
  if (isSealed) return content;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const { start, end, encoding: name } of leaves.filter(isShown)) {
    const encoding = transferEncoding(name);
    const html = encoding?.decode(content.subarray(start, end)) ?? "";
    const clean = untrackedHtml(html);
    if (!encoding || clean === html) continue;
    pieces.push(content.subarray(copied, start), encoding.encode(clean));
    copied = end;
  }
  return copied === 0 ? content : Buffer.concat([...pieces, content.subarray(copied)]);
};
