import { parseHeaderValue } from "nodemailer/lib/mime-funcs";
import { type HeaderBlock, type HeaderField, readHeaderBlock } from "./headerBlock.ts";
import { decodeHeaderText } from "./headerText.ts";
import {
  applyEdits,
  decodeQuotedPrintable,
  editQuotedPrintable,
  encodeQuotedPrintable,
  type TextEdit,
} from "./quotedPrintable.ts";

/** A MIME part that is not a multipart, by the offsets of its encoded bytes. */
export interface MimeLeaf {
  readonly start: number;
  readonly end: number;
  /** Content-Type without parameters, in lower case; empty when missing. */
  readonly type: string;
  readonly charset: string;
  readonly isAttachment: boolean;
  /** The name of its file, with encoded words; empty without one. */
  readonly name: string;
  /** The offset of its header. */
  readonly headerStart: number;
  /** True if a signature covers it (RFC 1847), or it is encrypted. */
  readonly isSealed: boolean;
  /** Content-Transfer-Encoding, in lower case. */
  readonly encoding: string;
  /** The offset of the outermost multipart/alternative that it is in; null outside of one. */
  readonly alternative: number | null;
}

const maxDepth = 10;
const maxParts = 200;
/** Parts of all attached mails together. */
const maxAttachedParts = 1_000;
const maxFieldBytes = 4_096;
/** Bytes; the header of a part is normally a few lines. */
const maxPartHeaderBytes = 64 * 1024;

const signatureTypes = /^application\/(?:pgp|(?:x-)?pkcs7)-signature$/;

/** Types with a signature or encryption, which a change of their bytes would invalidate. */
const sealedTypes = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-|application\/pgp-)/;

export const parseField = (content: Buffer, header: HeaderBlock, name: string) => {
  const field = header.fields.find((candidate: HeaderField) => candidate.name === name);
  const text = field
    ? decodeHeaderText(
        content.subarray(field.valueStart, Math.min(field.end, field.valueStart + maxFieldBytes)),
      )
    : "";
  const { value, params } = parseHeaderValue(text.replace(/\r\n/g, "").trim());
  return {
    value: String(value || "")
      .trim()
      .toLowerCase(),
    params,
  };
};

/** Returns the offsets of a multipart's parts, without the boundary lines; of more than 200 only the first 201. */
export const findParts = (content: Buffer, boundary: string): readonly (readonly [number, number])[] => {
  if (boundary === "") return [];
  const mark = Buffer.from(`\r\n--${boundary}`, "latin1");
  const startsWithBoundary = content.subarray(0, mark.length - 2).equals(mark.subarray(2));
  const parts: (readonly [number, number])[] = [];
  let partStart: number | null = null;
  for (
    let at = startsWithBoundary ? -2 : content.indexOf(mark);
    at !== -1;
    at = content.indexOf(mark, at + mark.length)
  ) {
    if (partStart !== null) parts.push([partStart, Math.max(partStart, at)]);
    const after = at + mark.length;
    const isLast = content[after] === 0x2d && content[after + 1] === 0x2d;
    const line = content.indexOf("\r\n", after);
    partStart = isLast || line === -1 ? null : line + 2;
    if (partStart === null || parts.length > maxParts) return parts;
    // The line break that ends this line may begin the next boundary.
    at = line - mark.length;
  }
  if (partStart !== null) parts.push([partStart, content.length]);
  return parts;
};

/** The leaf parts of a mail; an attached mail is one leaf. */
export interface MimeLeaves {
  readonly leaves: readonly MimeLeaf[];
  /** True if a part is signed or encrypted. */
  readonly isSealed: boolean;
}

const emptyLineLength = (content: Buffer, at: number): number =>
  content[at] === 0x0d && content[at + 1] === 0x0a ? 2 : 0;

/** True if a multipart is signed, as its last leaf shows (RFC 1847, 2.1): anybody can write the type. */
const isSignature = (type: string, parts: number, last: MimeLeaf | undefined): boolean =>
  type === "multipart/signed" && parts === 2 && signatureTypes.test(last?.type ?? "");

const seal = (leaf: MimeLeaf): MimeLeaf => ({ ...leaf, isSealed: true });

/** Counts the parts of attached mails, as far as the limits of number and depth. */
const createAttachedMailCheck = (content: Buffer) => {
  let count = 0;
  const isWithinLimits = (start: number, end: number, depth: number): boolean => {
    count += 1;
    if (count > maxAttachedParts || depth > maxDepth) return false;
    const part = content.subarray(start, end);
    const block = readHeaderBlock(part, maxPartHeaderBytes);
    if (!block) return true;
    const { value: type, params } = parseField(part, block, "content-type");
    const from = start + block.end;
    if (type.startsWith("message/"))
      return isWithinLimits(from + emptyLineLength(content, from), end, depth + 1);
    if (!type.startsWith("multipart/")) return true;
    const parts = findParts(content.subarray(from, end), params["boundary"] ?? "");
    return (
      parts.length <= maxParts &&
      parts.every(([begin, stop]) => isWithinLimits(from + begin, from + stop, depth + 1))
    );
  };
  return isWithinLimits;
};

const leafOf = (
  part: Buffer,
  block: HeaderBlock,
  { value: type, params }: ReturnType<typeof parseField>,
  range: Pick<MimeLeaf, "headerStart" | "start" | "end" | "alternative">,
): MimeLeaf => {
  const disposition = parseField(part, block, "content-disposition");
  return {
    ...range,
    type,
    charset: (params["charset"] ?? "").toLowerCase(),
    isAttachment: disposition.value === "attachment",
    name: disposition.params["filename"] ?? params["name"] ?? "",
    isSealed: sealedTypes.test(type),
    encoding: parseField(part, block, "content-transfer-encoding").value,
  };
};

/**
 * Finds the leaf parts of a mail (RFC 2046, 5.1); null when it exceeds the limits: 200 parts, 1,000 of attached mails, 10
 * levels. So the work for a mail is bounded, whatever it consists of.
 */
export const findMimeLeaves = (content: Buffer, header: HeaderBlock): MimeLeaves | null => {
  const isAttachedMailWithinLimits = createAttachedMailCheck(content);
  const leaves: MimeLeaf[] = [];
  let isSealed = false;
  let partCount = 0;

  /** Returns false when a limit is exceeded. */
  const visit = (
    start: number,
    end: number,
    block: HeaderBlock,
    depth: number,
    alternative: number | null,
  ): boolean => {
    const part = content.subarray(start, end);
    const contentType = parseField(part, block, "content-type");
    const { value: type, params } = contentType;
    isSealed ||= sealedTypes.test(type);
    partCount += 1;
    if (depth > maxDepth || partCount > maxParts + maxDepth) return false;
    const body = part.subarray(block.end);
    const from = start + block.end;
    if (type.startsWith("multipart/")) {
      const parts = findParts(body, params["boundary"] ?? "");
      const around = alternative ?? (type === "multipart/alternative" ? start : null);
      const first = leaves.length;
      const isWithinLimits =
        parts.length <= maxParts &&
        parts.every(([begin, stop]) => {
          const inner = readHeaderBlock(content.subarray(from + begin, from + stop), maxPartHeaderBytes);
          return inner !== null && visit(from + begin, from + stop, inner, depth + 1, around);
        });
      if (isSignature(type, parts.length, leaves.at(-1))) leaves.push(...leaves.splice(first).map(seal));
      return isWithinLimits;
    }
    const emptyLine = emptyLineLength(content, from);
    // A part may end with its header, without an empty line.
    const range = { headerStart: start, start: Math.min(from + emptyLine, end), end, alternative };
    leaves.push(leafOf(part, block, contentType, range));
    return !type.startsWith("message/") || isAttachedMailWithinLimits(from + emptyLine, end, depth + 1);
  };

  return visit(0, content.length, header, 0, null) ? { leaves, isSealed } : null;
};

interface TransferEncoding {
  /** Returns one character for each byte (latin1). */
  readonly decode: (bytes: Buffer) => string;
  readonly encode: (text: string) => Buffer;
  /** Changes an encoded part; `edits` are in order and refer to the decoded text. */
  readonly edit: (original: Buffer, edits: readonly TextEdit[]) => Buffer;
}

const identity: TransferEncoding = {
  decode: (bytes) => bytes.toString("latin1"),
  encode: (text) => Buffer.from(text, "latin1"),
  edit: (original, edits) => Buffer.from(applyEdits(original.toString("latin1"), edits), "latin1"),
};

const decodeBase64 = (bytes: Buffer): string =>
  Buffer.from(bytes.toString("latin1"), "base64").toString("latin1");
const encodeBase64 = (text: string): Buffer =>
  Buffer.from(Buffer.from(text, "latin1").toString("base64").replace(/.{76}/g, "$&\r\n"), "latin1");

const base64: TransferEncoding = {
  decode: decodeBase64,
  encode: encodeBase64,
  edit: (original, edits) => encodeBase64(applyEdits(decodeBase64(original), edits)),
};

const quotedPrintable: TransferEncoding = {
  decode: decodeQuotedPrintable,
  encode: encodeQuotedPrintable,
  edit: editQuotedPrintable,
};

const encodings: Readonly<Record<string, TransferEncoding>> = {
  "": identity,
  "7bit": identity,
  "8bit": identity,
  binary: identity,
  base64,
  "quoted-printable": quotedPrintable,
};

/** Finds a transfer encoding (RFC 2045, 6); returns undefined for an unknown name. */
export const findTransferEncoding = (name: string): TransferEncoding | undefined =>
  Object.hasOwn(encodings, name) ? encodings[name] : undefined;
