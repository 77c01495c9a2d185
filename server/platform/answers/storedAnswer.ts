import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip as zlibGzip } from "node:zlib";

const compress = promisify(zlibGzip);

/** An answer that is sent many times: its JSON text as bytes, compressed once, with a tag of its state. */
export interface StoredAnswer {
  readonly tag: string;
  /** Bytes, uncompressed. */
  readonly length: number;
  readonly plain: () => Buffer;
  /** The compressed bytes; made when a client asks for them first. */
  readonly gzip: () => Promise<Buffer>;
}

/** Returns the tag of bytes: characters that an ETag may have. */
export const tagOf = (bytes: Buffer): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Keeps a body with its tag, which is made of the body when it is left out. */
export const storeAnswer = (body: string | Buffer, tag?: string): StoredAnswer => {
  const plain = typeof body === "string" ? Buffer.from(body) : body;
  let gzipped: Promise<Buffer> | null = null;
  return {
    tag: tag ?? tagOf(plain),
    length: plain.length,
    plain: () => plain,
    gzip: () => {
      gzipped ??= compress(plain, { level: constants.Z_BEST_SPEED });
      return gzipped;
    },
  };
};
