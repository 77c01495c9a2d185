import { type FoundCode, findCode } from "../../../core/codes/findCode.ts";
import { type MailTexts, readLimits } from "../../../core/codes/readableMail.ts";
import { decodeEncodedWords, findDecoder } from "../../mime/charsets.ts";
import { type HeaderBlock, readHeaderBlock } from "../../mime/headerBlock.ts";
import { decodeHeaderText } from "../../mime/headerText.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../mime/mimeLeaves.ts";

/** The first bytes of a mail in which a code is looked for: three times the HTML that is read. */
export const searchedBytes = 3 * readLimits.html;

const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Decodes a part of a mail as far as it is read; an unknown character set is read as UTF-8. */
const textOf = (content: Buffer, { start, end, encoding, charset }: MimeLeaf, maxLength: number): string => {
  const transfer = findTransferEncoding(encoding);
  if (!transfer) return "";
  // Four bytes for a character, each of them three bytes in quoted-printable.
  const bytes = transfer.decode(content.subarray(start, Math.min(end, start + 12 * maxLength)));
  const decode = (charset && findDecoder(charset)) || decodeUtf8;
  return decode(Buffer.from(bytes.slice(0, 4 * maxLength), "latin1")).slice(0, maxLength);
};

const subjectOf = (content: Buffer, header: HeaderBlock): string => {
  const field = header.fields.find(({ name }) => name === "subject");
  if (!field) return "";
  const written = content.subarray(
    field.valueStart,
    Math.min(field.end, field.valueStart + 8 * readLimits.subject),
  );
  return decodeEncodedWords(decodeHeaderText(written).replace(/\r\n/g, "")).trim();
};

const readTexts = (content: Buffer, header: HeaderBlock): MailTexts => {
  const subject = subjectOf(content, header);
  const found = findMimeLeaves(content, header);
  const shown = found?.leaves.filter(({ isAttachment }) => !isAttachment) ?? [];
  const html = shown.find(({ type }) => type === "text/html");
  const plain = shown.find(({ type }) => type === "" || type === "text/plain");
  return {
    subject,
    text: plain ? textOf(content, plain, readLimits.text) : "",
    html: html ? textOf(content, html, readLimits.html) : "",
  };
};

/** Finds the code and the confirmation link in the beginning of a mail; encrypted mail has none. */
export const codeIn = (content: Buffer): FoundCode => {
  const header = readHeaderBlock(content);
  return header ? findCode(readTexts(content, header)) : { code: null, link: null };
};
