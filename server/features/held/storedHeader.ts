import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { ReadCopy } from "../../delivery/queue/queuedContent.ts";
import { parseAuthor, senderOf } from "../../mime/author.ts";
import { toVisibleLine } from "../../mime/displayName.ts";
import { maxHeaderBytes, readHeaderBlock } from "../../mime/headerBlock.ts";
import { fieldValues, type MailWithHeader } from "../../mime/mailFields.ts";
import { summarize } from "../../mime/mailSummary.ts";

/** The facts about a mail in the header of its stored copy. */
export interface StoredHeader {
  /** The mask's address when the mail arrived; null when it did not arrive at a mask. */
  readonly mask: string | null;
  /** The sender; of a mail that we encrypted, only the name that the owner sees. */
  readonly from: Sender | null;
  /** null in a mail that we encrypted. */
  readonly subject: string | null;
  /** True if a rule wrote it as an answer. */
  readonly isAutomaticAnswer: boolean;
  /** The header as its sender wrote it; of a mail that we encrypted, the date alone. */
  readonly original: Buffer;
}

/** Fields that forwarding adds before a header of the maximum size. */
const addedBytes = 64 * 1024;
const originalPrefix = "x-bauta-original-";
const emptyLine = Buffer.from("\r\n\r\n");

const readHead = async (read: ReadCopy): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of read()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxHeaderBytes + addedBytes || chunk.includes(emptyLine)) break;
  }
  return Buffer.concat(chunks);
};

/** Undoes what forwarding did to the header (docs/forwarding.md). */
const originalHeader = ({ content, header }: MailWithHeader, isEncrypted: boolean): Buffer => {
  const fields = isEncrypted
    ? header.fields.filter(({ name }) => name === "date")
    : header.fields.slice(header.fields.findIndex(({ name }) => name === "from") + 1);
  return Buffer.concat(
    fields.map(({ name, start, end }) =>
      content.subarray(name.startsWith(originalPrefix) ? start + originalPrefix.length : start, end),
    ),
  );
};

const parseHeader = (mail: MailWithHeader): StoredHeader => {
  const [type = ""] = fieldValues(mail, "content-type");
  const isEncrypted = type.startsWith("multipart/encrypted") && type.includes('boundary="=_bauta_');
  const originalOr = (name: string): string =>
    mail.header.fields.some((field) => field.name === `${originalPrefix}${name}`)
      ? `${originalPrefix}${name}`
      : name;
  const [value = ""] = fieldValues(mail, isEncrypted ? "from" : originalOr("from"));
  const from = senderOf(parseAuthor(value));
  const [mask] = fieldValues(mail, "x-bauta-mask");
  const [submitted = "no"] = fieldValues(mail, "auto-submitted");
  return {
    // A mail of collected mails names several.
    mask: mask === undefined || mask.includes(",") ? null : mask,
    ...(isEncrypted
      ? { from: from ? { name: toVisibleLine(from.name), address: "" } : null, subject: null }
      : summarize(mail, from, originalOr("subject"))),
    isAutomaticAnswer: mask === undefined && submitted.startsWith("auto-replied"),
    original: originalHeader(mail, isEncrypted),
  };
};

/** Reads the header of a stored copy; null when it cannot be read. */
export const readStoredHeader = async (read: ReadCopy): Promise<StoredHeader | null> => {
  const content = await readHead(read);
  const header = readHeaderBlock(content, maxHeaderBytes + addedBytes);
  return header && parseHeader({ content, header });
};
