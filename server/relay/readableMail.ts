import { mostText } from "../../core/relay/message.ts";
import type { HeaderBlock } from "./headerBlock.ts";
import { type MimeLeaf, mimeLeaves } from "./mimeLeaves.ts";

/** A mail up to this size is read as it is. */
const smallMail = 128 * 1024;

/** How many bytes of a charset's text, at most, rules look at: UTF-8 has 3 for each unit of text (RFC 3629). */
const longestText = 3 * mostText;

/** What that is at most once it is encoded: 4 characters for 3 bytes, or 3 for each, and the line breaks. */
const encodedAs: Readonly<Record<string, number>> = {
  base64: longestText * 1.4,
  "quoted-printable": longestText * 3.2,
};

/** HTML, and a mail within the mail, are more than the text in them. */
const longestOther = 1024 * 1024;

const keptOf = ({ type, isAttachment, encoding, start, end }: MimeLeaf): number => {
  const isPlain = type === "" || type === "text/plain";
  const isOther = type.startsWith("text/") || type.startsWith("message/");
  const longest = isPlain ? (encodedAs[encoding] ?? longestText) : isOther ? longestOther : 0;
  if (isAttachment && !type.startsWith("message/")) return start;
  return Math.min(end, start + Math.ceil(longest));
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
