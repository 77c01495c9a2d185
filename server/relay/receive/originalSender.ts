import { type Author, maxFromBytes, parseAuthor } from "../../mime/author.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { decodeHeaderText } from "../../mime/headerText.ts";

/** Returns the author that From names. Never throws; mail with several From fields is ambiguous. */
export const originalSender = (content: Buffer, header: HeaderBlock): Author => {
  const fields = header.fields.filter(({ name }) => name === "from");
  const [field] = fields;
  if (!field) return { kind: "none", name: "" };
  const value = content.subarray(field.valueStart, field.end);
  if (fields.length > 1 || value.length > maxFromBytes) return { kind: "ambiguous" };
  return parseAuthor(decodeHeaderText(value).replaceAll("\r\n", ""));
};
