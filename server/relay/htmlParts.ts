import { parseHeaderValue } from "nodemailer/lib/mime-funcs";
import { type HeaderBlock, type HeaderField, readHeaderBlock } from "./headerBlock.ts";
import { textOf } from "./headerText.ts";

/** A piece of HTML in a mail, by where its encoded bytes stand. */
export interface HtmlPart {
  readonly start: number;
  readonly end: number;
  /** Content-Transfer-Encoding, in lower case. */
  readonly encoding: string;
}

const deepest = 10;
const mostParts = 200;
const longestField = 4_096;

/** These say by a signature or a cipher what the bytes are: whoever changes them breaks the mail. */
const sealed = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-|application\/pgp-)/;

/** Charsets in which a byte below 128 may be something else than ASCII. */
const notAscii = /^(?:utf-?(?:7|16|32)|iso-2022|hz-|ucs|csiso2022)/;

const fieldOf = (content: Buffer, header: HeaderBlock, name: string) => {
  const field = header.fields.find((one: HeaderField) => one.name === name);
  const text = field
    ? textOf(content.subarray(field.valueStart, Math.min(field.end, field.valueStart + longestField)))
    : "";
  const { value, params } = parseHeaderValue(text.replace(/\r\n/g, "").trim());
  return {
    value: String(value || "")
      .trim()
      .toLowerCase(),
    params,
  };
};

/** Where the parts of a multipart begin and end, its boundary lines left out. */
const partsOf = (content: Buffer, boundary: string): readonly (readonly [number, number])[] => {
  const mark = Buffer.from(`--${boundary}`, "latin1");
  const parts: (readonly [number, number])[] = [];
  let begun: number | null = null;
  for (let at = content.indexOf(mark); at !== -1; at = content.indexOf(mark, at + mark.length)) {
    if (at > 0 && content[at - 1] !== 0x0a) continue;
    if (begun !== null) parts.push([begun, Math.max(begun, at - 2)]);
    const isLast = content[at + mark.length] === 0x2d && content[at + mark.length + 1] === 0x2d;
    const line = content.indexOf("\r\n", at);
    begun = isLast || line === -1 ? null : line + 2;
    if (begun === null || parts.length > mostParts) return parts;
  }
  if (begun !== null) parts.push([begun, content.length]);
  return parts;
};

/**
 * Finds the HTML a reader is shown; attachments and mails within the mail are left alone. null: something in it is
 * signed or encrypted, or it is made of more parts than an honest mail, so that nothing of it is to be touched.
 */
export const htmlParts = (content: Buffer, header: HeaderBlock): readonly HtmlPart[] | null => {
  const found: HtmlPart[] = [];

  /** False when nothing may be touched. */
  const visit = (start: number, end: number, block: HeaderBlock, depth: number): boolean => {
    const part = content.subarray(start, end);
    const { value: type, params } = fieldOf(part, block, "content-type");
    if (sealed.test(type) || depth > deepest || found.length > mostParts) return false;
    const body = part.subarray(block.end);
    if (type.startsWith("multipart/")) {
      const from = start + block.end;
      return partsOf(body, params["boundary"] ?? "").every(([begin, stop]) => {
        const inner = readHeaderBlock(content.subarray(from + begin, from + stop));
        return inner !== null && visit(from + begin, from + stop, inner, depth + 1);
      });
    }
    if (type !== "text/html" || fieldOf(part, block, "content-disposition").value === "attachment")
      return true;
    if (notAscii.test((params["charset"] ?? "").toLowerCase())) return true;
    const encoding = fieldOf(part, block, "content-transfer-encoding").value;
    const emptyLine = body[0] === 0x0d && body[1] === 0x0a ? 2 : 0;
    found.push({ start: start + block.end + emptyLine, end, encoding });
    return true;
  };

  return visit(0, content.length, header, 0) ? found : null;
};
