import { parseHeaderValue } from "nodemailer/lib/mime-funcs";
import { type HeaderBlock, type HeaderField, readHeaderBlock } from "./headerBlock.ts";
import { textOf } from "./headerText.ts";

/** A part of a mail that is no multipart, by where its encoded bytes stand. */
export interface MimeLeaf {
  readonly start: number;
  readonly end: number;
  /** Content-Type without parameters, in lower case; empty where none is said. */
  readonly type: string;
  readonly charset: string;
  readonly isAttachment: boolean;
  /** Content-Transfer-Encoding, in lower case. */
  readonly encoding: string;
}

const deepest = 10;
const mostParts = 200;
const longestField = 4_096;
/** Bytes; what describes a part is a few lines. */
const largestPartHeader = 64 * 1024;

/** These say by a signature or a cipher what the bytes are: whoever changes them breaks the mail. */
const sealed = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-|application\/pgp-)/;

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
  if (boundary === "") return [];
  const mark = Buffer.from(`\r\n--${boundary}`, "latin1");
  const atOnce = content.subarray(0, mark.length - 2).equals(mark.subarray(2));
  const parts: (readonly [number, number])[] = [];
  let begun: number | null = null;
  for (
    let at = atOnce ? -2 : content.indexOf(mark);
    at !== -1;
    at = content.indexOf(mark, at + mark.length)
  ) {
    if (begun !== null) parts.push([begun, Math.max(begun, at)]);
    const after = at + mark.length;
    const isLast = content[after] === 0x2d && content[after + 1] === 0x2d;
    const line = content.indexOf("\r\n", after);
    begun = isLast || line === -1 ? null : line + 2;
    if (begun === null || parts.length > mostParts) return parts;
    // The line break that ends this line may begin the next boundary.
    at = line - mark.length;
  }
  if (begun !== null) parts.push([begun, content.length]);
  return parts;
};

/** What a mail is made of; a mail within the mail is one leaf. */
export interface MimeLeaves {
  readonly leaves: readonly MimeLeaf[];
  /** Whether something in it is signed or encrypted. */
  readonly isSealed: boolean;
}

/** Finds the leaves of a mail (RFC 2046, 5.1); null where it is made of more parts than an honest mail. */
export const mimeLeaves = (content: Buffer, header: HeaderBlock): MimeLeaves | null => {
  const leaves: MimeLeaf[] = [];
  let isSealed = false;
  let parts = 0;

  /** False when it is too much. */
  const visit = (start: number, end: number, block: HeaderBlock, depth: number): boolean => {
    const part = content.subarray(start, end);
    const { value: type, params } = fieldOf(part, block, "content-type");
    isSealed ||= sealed.test(type);
    parts += 1;
    if (depth > deepest || parts > mostParts + deepest) return false;
    const body = part.subarray(block.end);
    const from = start + block.end;
    if (type.startsWith("multipart/"))
      return partsOf(body, params["boundary"] ?? "").every(([begin, stop]) => {
        const inner = readHeaderBlock(content.subarray(from + begin, from + stop), largestPartHeader);
        return inner !== null && visit(from + begin, from + stop, inner, depth + 1);
      });
    const emptyLine = body[0] === 0x0d && body[1] === 0x0a ? 2 : 0;
    leaves.push({
      start: from + emptyLine,
      end,
      type,
      charset: (params["charset"] ?? "").toLowerCase(),
      isAttachment: fieldOf(part, block, "content-disposition").value === "attachment",
      encoding: fieldOf(part, block, "content-transfer-encoding").value,
    });
    return true;
  };

  return visit(0, content.length, header, 0) ? { leaves, isSealed } : null;
};
