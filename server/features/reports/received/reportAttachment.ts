import { gunzipSync } from "node:zlib";
import { readHeaderBlock } from "../../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../../mime/mimeLeaves.ts";
import { errorCode } from "../../../platform/errors/errorCode.ts";
import { maxReportBytes, maxReportRatio, UnreadableReport } from "./reportProblem.ts";
import { readZipEntry } from "./zipEntry.ts";

const leastLimit = 64 * 1024;
/** Leaves that are decoded to look for the report. */
const maxTried = 5;

/** Returns the encoding of a text that begins with "<" or "{", by its mark or by its first character. */
const encodingOf = (bytes: Buffer): "utf-8" | "utf-16le" | "utf-16be" => {
  const start = bytes.toString("latin1", 0, 2);
  if (start === "\xff\xfe" || /^[<{]\0/.test(start)) return "utf-16le";
  return start === "\xfe\xff" || /^\0[<{]/.test(start) ? "utf-16be" : "utf-8";
};

/** Decodes an unpacked report (RFC 8259 and XML 1.0, 4.3.3). */
export const decodeReport = (bytes: Buffer): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

type Packing = "gzip" | "zip" | "plain";

/** By the first bytes, because senders write many types. */
const packingOf = (bytes: Buffer): Packing | null => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip";
  if (bytes.toString("latin1", 0, 4) === "PK\x03\x04") return "zip";
  return /^\ufeff?\s{0,32}[<{]/.test(decodeReport(bytes.subarray(0, 80))) ? "plain" : null;
};

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0d || byte === 0x0a;

/**
 * Some senders put a line end behind the file. The last byte of a gzip file within the limit is 0, because it is that of its
 * size.
 */
const withoutLineEnds = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  while (isLineEnd(bytes[end - 1])) end -= 1;
  return bytes.subarray(0, end);
};

const unpack = (bytes: Buffer, packing: Packing): Buffer => {
  const maxOutputLength = Math.min(maxReportBytes, Math.max(leastLimit, bytes.length * maxReportRatio));
  try {
    switch (packing) {
      case "gzip":
        return gunzipSync(withoutLineEnds(bytes), { maxOutputLength });
      case "zip":
        return readZipEntry(bytes, maxOutputLength);
      case "plain":
        return bytes;
    }
  } catch (error) {
    if (error instanceof UnreadableReport) throw error;
    const isTooLarge = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
    throw new UnreadableReport(isTooLarge ? "too-large" : "not-readable");
  }
};

/** Attached mails and pictures. */
const isNoReport = ({ type }: MimeLeaf): boolean => /^(?:message|image)\//.test(type);

/** Texts for people; some senders call a report one too, as a file or packed. */
const isText = ({ type }: MimeLeaf): boolean => type === "" || /^text\/(?:plain|html)$/.test(type);

const isFile = ({ isAttachment, name }: MimeLeaf): boolean =>
  isAttachment || /\.(?:xml|json|gz|zip)$/i.test(name.trim());

/** Returns the unpacked report of a mail. Throws an `UnreadableReport` when there is none within the limits. */
export const unpackReport = (mail: Buffer): Buffer => {
  const header = readHeaderBlock(mail);
  const found = header && findMimeLeaves(mail, header);
  const all = (found?.leaves ?? []).filter((leaf) => !isNoReport(leaf));
  const leaves = [...all.filter((leaf) => !isText(leaf)), ...all.filter(isText)].slice(0, maxTried);
  for (const leaf of leaves) {
    const text = findTransferEncoding(leaf.encoding)?.decode(mail.subarray(leaf.start, leaf.end));
    const bytes = text === undefined ? null : Buffer.from(text, "latin1");
    const packing = bytes && packingOf(bytes);
    const isReport = packing !== null && (packing !== "plain" || !isText(leaf) || isFile(leaf));
    if (bytes && packing && isReport) return unpack(bytes, packing);
  }
  throw new UnreadableReport("no-report");
};
