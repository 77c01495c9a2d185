import { crc32, inflateRawSync } from "node:zlib";
import { UnreadableReport } from "./reportProblem.ts";

const endSignature = Buffer.from("PK\x05\x06", "latin1");
const endBytes = 22;
const maxCommentBytes = 65_535;
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const entryBytes = 46;
const fileBytes = 30;
const encrypted = 1;
const stored = 0;
const deflated = 8;
/** In place of a size: it stands elsewhere (ZIP64). */
const elsewhere = 0xffffffff;

const unreadable = (): never => {
  throw new UnreadableReport("not-readable");
};

interface Entry {
  readonly method: number;
  readonly checksum: number;
  readonly data: Buffer;
}

/** Finds the only file by the directory at the end. */
const findEntry = (zip: Buffer): Entry => {
  const end = zip.lastIndexOf(endSignature);
  if (end === -1 || end < zip.length - endBytes - maxCommentBytes || end + endBytes > zip.length)
    return unreadable();
  if (zip.readUInt16LE(end + 10) !== 1) throw new UnreadableReport("several-files");
  const entry = zip.readUInt32LE(end + 16);
  if (entry + entryBytes > end || zip.readUInt32LE(entry) !== entrySignature) return unreadable();
  const size = zip.readUInt32LE(entry + 20);
  const file = zip.readUInt32LE(entry + 42);
  if ((zip.readUInt16LE(entry + 8) & encrypted) !== 0 || size === elsewhere) return unreadable();
  if (file + fileBytes > entry || zip.readUInt32LE(file) !== fileSignature) return unreadable();
  const start = file + fileBytes + zip.readUInt16LE(file + 26) + zip.readUInt16LE(file + 28);
  if (start + size > entry) return unreadable();
  return {
    method: zip.readUInt16LE(entry + 10),
    checksum: zip.readUInt32LE(entry + 16),
    data: zip.subarray(start, start + size),
  };
};

/**
 * Returns the content of a zip file with one file (APPNOTE 6.3), of at most `maxBytes` and with the right checksum.
 * Throws an `UnreadableReport` for several files, encryption, ZIP64, other methods and damage.
 */
export const readZipEntry = (zip: Buffer, maxBytes: number): Buffer => {
  const { method, checksum, data } = findEntry(zip);
  if (method !== stored && method !== deflated) return unreadable();
  if (method === stored && data.length > maxBytes) throw new UnreadableReport("too-large");
  const content = method === stored ? data : inflateRawSync(data, { maxOutputLength: maxBytes });
  return crc32(content) === checksum ? content : unreadable();
};
