import type { HeaderBlock } from "./headerBlock.ts";
import { htmlParts } from "./htmlParts.ts";
import { transferEncoding } from "./transferEncoding.ts";
import { untrackedHtml } from "./untrackedHtml.ts";

/** More than a mail that is read; what is larger stays as it is. */
const largestHtml = 2 * 1024 * 1024;

/**
 * A mail without tracking pixels and link trackers. Only HTML that has some is written anew, in the encoding it came
 * in; every other byte stays, and so does all of a mail that is signed or encrypted.
 */
export const withoutTrackers = (content: Buffer, header: HeaderBlock): Buffer => {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const { start, end, encoding: name } of htmlParts(content, header) ?? []) {
    const encoding = transferEncoding(name);
    if (!encoding || end - start > largestHtml) continue;
    const html = encoding.decode(content.subarray(start, end));
    const clean = untrackedHtml(html);
    if (clean === html) continue;
    pieces.push(content.subarray(copied, start), encoding.encode(clean));
    copied = end;
  }
  return copied === 0 ? content : Buffer.concat([...pieces, content.subarray(copied)]);
};
