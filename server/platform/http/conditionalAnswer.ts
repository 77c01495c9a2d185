import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip as zlibGzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compress = promisify(zlibGzip);

/** Smaller answers fit into one or two packets anyway. */
const minCompressedBytes = 1_400;

const namesTag = (header: string | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === `"${tag}"`);

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers["accept-encoding"] ?? ""));

/** An answer that is sent many times: its JSON text as bytes, compressed once, with its ETag. */
export interface StoredAnswer {
  readonly tag: string;
  /** Bytes, uncompressed. */
  readonly length: number;
  readonly plain: () => Buffer;
  /** The compressed bytes; made when a client asks for them first. */
  readonly gzip: () => Promise<Buffer>;
}

/** Returns the ETag of bytes, without quotes. */
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

/** Sends a stored answer; 304 when the client has it (RFC 9110, 13.1.2). */
export const sendStoredAnswer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, length, plain, gzip }: StoredAnswer,
): Promise<FastifyReply> => {
  // Weak, because the compressed answer differs in its bytes.
  reply.header("etag", `W/"${tag}"`);
  if (namesTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  reply.code(200).type("application/json; charset=utf-8").header("vary", "accept-encoding");
  if (length < minCompressedBytes || !acceptsGzip(request)) return reply.send(plain());
  return reply.header("content-encoding", "gzip").send(await gzip());
};
