import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A picture of red, green and blue, each a byte, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

const chunksOf = (file: Buffer): readonly (readonly [kind: string, content: Buffer])[] => {
  const chunks: (readonly [string, Buffer])[] = [];
  for (let at = signature.length; at < file.length; ) {
    const size = file.readUInt32BE(at);
    chunks.push([file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + size)]);
    at += size + 12;
  }
  return chunks;
};

/** What the filter of a row predicts of a byte by those to the left, above, and above to the left. */
const predicted = (filter: number, left: number, up: number, corner: number): number => {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
};

/** Reads a PNG of the kind that Chromium writes: 8 bits, not interlaced, with or without an alpha channel. */
export const readPng = (file: Buffer): Pixels => {
  const chunks = chunksOf(file);
  const header = chunks[0]?.[1] ?? Buffer.alloc(13);
  const [width, height, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] ?? 0];
  if (header[8] !== 8 || header[12] !== 0 || (kind !== 2 && kind !== 6))
    throw new Error("A PNG with 8 bits for each of three or four channels is expected, not interlaced");
  const channels = kind === 2 ? 3 : 4;
  const raw = inflateSync(Buffer.concat(chunks.filter(([name]) => name === "IDAT").map(([, part]) => part)));
  const stride = width * channels;
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (rows[at - channels] ?? 0);
      const up = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = y === 0 || x < channels ? 0 : (rows[at - stride - channels] ?? 0);
      rows[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  if (channels === 3) return { width, height, bytes: rows };
  return { width, height, bytes: rows.filter((_, at) => at % 4 !== 3) };
};

/** Writes a PNG. */
export const writePng = ({ width, height, bytes }: Pixels): Buffer => {
  const chunk = (kind: string, content: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(kind, "latin1"), content]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(bytes.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};
