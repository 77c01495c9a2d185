import type { HeaderBlock } from "../delivery/headerBlock.ts";
import { decodeHeaderText } from "../delivery/headerText.ts";
import { type Author, parseAuthor } from "../senders/author.ts";

/** A longer field is ambiguous, because it is not read to its end. */
const maxFieldBytes = 16_384;

/** Returns the author that From names. Never throws; mail with several From fields is ambiguous. */
export const originalSender = (content: Buffer, header: HeaderBlock): Author => {
  const fields = header.fields.filter(({ name }) => name === "from");
  const [field] = fields;
  if (!field) return { kind: "none", name: "" };
  const value = content.subarray(field.valueStart, field.end);
  if (fields.length > 1 || value.length > maxFieldBytes) return { kind: "ambiguous" };
  return parseAuthor(decodeHeaderText(value).replaceAll("\r\n", ""));
};
