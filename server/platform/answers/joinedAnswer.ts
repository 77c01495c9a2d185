import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";
import { combineCrc32, shiftOf } from "./crc32Combine.ts";
import type { StoredAnswer } from "./storedAnswer.ts";

const deflate = promisify(deflateRaw);

/** A part of answers, compressed once for all the answers that contain it. */
export interface AnswerPart {
  readonly plain: Buffer;
  readonly deflated: () => Promise<DeflatedPart>;
}

/** A compressed part, with what the checksum of an answer needs of it. */
interface DeflatedPart {
  /** Whole blocks of a DEFLATE stream that refer to nothing before them (RFC 1951); none of them is the last. */
  readonly bytes: Buffer;
  readonly crc: number;
  readonly shift: number;
}

const toDeflated = (plain: Buffer, bytes: Buffer): DeflatedPart => ({
  bytes,
  crc: crc32(plain),
  shift: shiftOf(plain.length),
});

/** Makes a part of a text. It is compressed when that is asked for first. */
export const createPart = (text: string): AnswerPart => {
  const plain = Buffer.from(text);
  let deflated: Promise<DeflatedPart> | null = null;
  const compress = async (): Promise<DeflatedPart> => {
    const bytes = await deflate(plain, {
      level: constants.Z_BEST_SPEED,
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: Math.max(constants.Z_MIN_CHUNK, plain.length),
    });
    // NOTE: the result of zlib is a view of a buffer of the size of a chunk, which it would keep in memory: hence the copy.
    return toDeflated(plain, Buffer.from(bytes));
  };
  return {
    plain,
    deflated: () => {
      deflated ??= compress();
      return deflated;
    },
  };
};

/** Makes a part of a few bytes, which is not compressed (RFC 1951, 3.2.4). */
export const createShortPart = (text: string): AnswerPart => {
  const plain = Buffer.from(text);
  const header = Buffer.alloc(5);
  header.writeUInt16LE(plain.length, 1);
  header.writeUInt16LE(0xffff - plain.length, 3);
  const deflated = Promise.resolve(toDeflated(plain, Buffer.concat([header, plain])));
  return { plain, deflated: () => deflated };
};

/** RFC 1952, 2.3: DEFLATE, no name and no time, the fastest level, an unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty block that ends the stream. */
const lastBlock = Buffer.from([3, 0]);

const gzipParts = async (parts: readonly AnswerPart[], length: number): Promise<Buffer> => {
  const deflated = await Promise.all(parts.map((part) => part.deflated()));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(deflated.reduce((sum, { crc, shift }) => combineCrc32(sum, crc, shift), 0));
  trailer.writeUInt32LE(length, 4);
  return Buffer.concat([gzipHeader, ...deflated.map(({ bytes }) => bytes), lastBlock, trailer]);
};

/** Returns the answer that consists of parts; compressing it costs no more than compressing the new ones. */
export const joinParts = (parts: readonly AnswerPart[], tag: string): StoredAnswer => {
  const length = parts.reduce((sum, { plain }) => sum + plain.length, 0);
  let whole: Buffer | null = null;
  let gzipped: Promise<Buffer> | null = null;
  return {
    tag,
    length,
    plain: () => {
      whole ??= Buffer.concat(parts.map(({ plain }) => plain));
      return whole;
    },
    gzip: () => {
      gzipped ??= gzipParts(parts, length);
      return gzipped;
    },
  };
};
