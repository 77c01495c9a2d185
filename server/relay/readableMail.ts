import type { HeaderBlock } from "./headerBlock.ts";
import { type MimeLeaf, mimeLeaves } from "./mimeLeaves.ts";

/** A mail up to this size is read as it is. */
const smallMail = 256 * 1024;

/** Rules look at 64 kB of text; encoded, and with the markup around it, that is hardly more than this. */
const longestText = 1024 * 1024;

const keptOf = ({ type, isAttachment, start, end }: MimeLeaf): number => {
  const isText = type === "" || type.startsWith("text/");
  if (type.startsWith("message/") || (isText && !isAttachment)) return Math.min(end, start + longestText);
  return start;
};

/** What of a large mail a person reads, as a smaller mail: attachments are empty and endless texts cut. */
export const readableMail = (content: Buffer, header: HeaderBlock): Buffer => {
  if (content.length <= smallMail) return content;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const leaf of mimeLeaves(content, header)?.leaves ?? []) {
    pieces.push(content.subarray(copied, keptOf(leaf)));
    copied = leaf.end;
  }
  return Buffer.concat([...pieces, content.subarray(copied)]);
};
