import { createCipheriv, createDecipheriv } from "node:crypto";
import { countPassedBytes } from "../spool/passedBytes.ts";

/** Thrown when an encrypted object is not what was stored: changed, cut off, or too long. */
export class DamagedObject extends Error {
  constructor() {
    super("an object is not what was stored");
  }
}

/** Bytes that are encrypted, and proven, together. */
const pieceBytes = 64 * 1024;
const tagBytes = 16;
const nonceBytes = 12;
const cipherName = "aes-256-gcm";

/** Bytes of the encrypted form of so many bytes. */
export const sealedSize = (size: number): number =>
  size + Math.max(1, Math.ceil(size / pieceBytes)) * tagBytes;

/** The number of a piece and whether it is the last, so that none can be moved, left out or added. */
const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(number, 0);
  nonce[nonceBytes - 1] = isLast ? 1 : 0;
  return nonce;
};

type Bytes = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Yields pieces of so many bytes and a last one that may be shorter, each with whether it is the last. */
async function* inPieces(
  chunks: Bytes,
  bytes: number,
): AsyncIterable<{ readonly piece: Buffer; readonly isLast: boolean }> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length <= bytes) continue;
    // The last full piece waits, because only the end tells that it is the last.
    let all = Buffer.concat(waiting, length);
    for (; all.length > bytes; all = all.subarray(bytes))
      yield { piece: all.subarray(0, bytes), isLast: false };
    waiting = [all];
    length = all.length;
  }
  yield { piece: Buffer.concat(waiting, length), isLast: true };
}

/** Encrypts content in proven pieces; a key must encrypt one content only. */
export async function* sealObject(key: Buffer, chunks: Bytes): AsyncIterable<Buffer> {
  let number = 0;
  for await (const { piece, isLast } of inPieces(chunks, pieceBytes)) {
    const cipher = createCipheriv(cipherName, key, nonceOf(number, isLast));
    number += 1;
    countPassedBytes(piece.length);
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts content, and yields only bytes that are proven; throws a `DamagedObject`. */
export async function* openObject(key: Buffer, chunks: Bytes): AsyncIterable<Buffer> {
  let number = 0;
  for await (const { piece, isLast } of inPieces(chunks, pieceBytes + tagBytes)) {
    if (piece.length < tagBytes) throw new DamagedObject();
    const end = piece.length - tagBytes;
    const decipher = createDecipheriv(cipherName, key, nonceOf(number, isLast));
    number += 1;
    countPassedBytes(piece.length);
    decipher.setAuthTag(piece.subarray(end));
    const content = decipher.update(piece.subarray(0, end));
    try {
      decipher.final();
    } catch {
      throw new DamagedObject();
    }
    yield content;
  }
}
