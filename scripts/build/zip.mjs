// A zip archive whose bytes depend on its files alone.
import { crc32, deflateRawSync } from "node:zlib";

/** 1980-01-01, the first day that the format has. */
const noDate = 0x21;
const version = 20;
const utf8Names = 0x800;
const deflated = 8;
const regularFile = 0o100644;
const madeByUnix = 3;

const header = (signature, fields) => {
  const size = fields.reduce((sum, [bytes]) => sum + bytes, 4);
  const block = Buffer.alloc(size);
  block.writeUInt32LE(signature);
  let at = 4;
  for (const [bytes, value] of fields) at = block.writeUIntLE(value, at, bytes);
  return block;
};

/** What the header of a file and its line in the directory have in common. */
const common = (name, bytes, packed) => [
  [2, version],
  [2, utf8Names],
  [2, deflated],
  [2, 0],
  [2, noDate],
  [4, crc32(bytes)],
  [4, packed.length],
  [4, bytes.length],
  [2, name.length],
  [2, 0],
];

/** Returns files ([name, bytes]) as a zip archive: in the order of their names, and without their times. */
export const zipOf = (files) => {
  const entries = [];
  const directory = [];
  let offset = 0;
  for (const [file, bytes] of files.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const name = Buffer.from(file);
    const packed = deflateRawSync(bytes, { level: 9 });
    const fields = common(name, bytes, packed);
    const entry = Buffer.concat([header(0x04034b50, fields), name, packed]);
    const line = [
      [2, madeByUnix * 256 + version],
      ...fields,
      [2, 0],
      [2, 0],
      [2, 0],
      [4, regularFile * 65_536],
      [4, offset],
    ];
    directory.push(header(0x02014b50, line), name);
    entries.push(entry);
    offset += entry.length;
  }
  const lines = Buffer.concat(directory);
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, lines.length],
    [4, offset],
    [2, 0],
  ]);
  return Buffer.concat([...entries, lines, end]);
};
