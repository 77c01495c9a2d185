import { gunzipSync } from "node:zlib";
import { readHeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding } from "../../mime/mimeLeaves.ts";
import { UnreadableReport } from "./reportProblem.ts";
import { readZipEntry } from "./zipEntry.ts";

/** A report of a year's mail of a large domain has less. */
const maxBytes = 10 * 1024 * 1024;
/** XML of many similar records is compressed about 30 times. */
const maxRatio = 200;
const leastLimit = 64 * 1024;
/** Leaves that are decoded to look for the report. */
const maxTried = 5;

type Packing = "gzip" | "zip" | "plain";

/** By the first bytes, because senders write many types. */
const packingOf = (bytes: Buffer): Packing | null => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip";
  if (bytes.toString("latin1", 0, 4) === "PK\x03\x04") return "zip";
  return /^(?:\xef\xbb\xbf)?\s{0,64}[<{]/.test(bytes.toString("latin1", 0, 80)) ? "plain" : null;
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
  const maxOutputLength = Math.min(maxBytes, Math.max(leastLimit, bytes.length * maxRatio));
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
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new UnreadableReport(isTooLarge ? "too-large" : "not-readable");
  }
};

/** Texts for people, and mails that are attached. */
const isNoReport = (type: string): boolean =>
  type === "" || /^(?:text\/(?:plain|html)|message\/|image\/)/.test(type);

/** Returns the unpacked report of a mail. Throws an `UnreadableReport` when there is none within the limits. */
export const unpackReport = (mail: Buffer): Buffer => {
  const header = readHeaderBlock(mail);
  const found = header && findMimeLeaves(mail, header);
  const leaves = (found?.leaves ?? []).filter(({ type }) => !isNoReport(type)).slice(0, maxTried);
  for (const { start, end, encoding } of leaves) {
    const text = findTransferEncoding(encoding)?.decode(mail.subarray(start, end));
    const bytes = text === undefined ? null : Buffer.from(text, "latin1");
    const packing = bytes && packingOf(bytes);
    if (bytes && packing) return unpack(bytes, packing);
  }
  throw new UnreadableReport("no-report");
};
