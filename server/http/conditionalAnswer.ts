import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compress = promisify(gzip);

/** Smaller answers fit into one or two packets anyway. */
const minCompressedBytes = 1_400;

/** The maximum size of the cached bodies in bytes. */
const maxRememberedBytes = 16_000_000;

const tagOf = (body: string): string => createHash("sha256").update(body).digest("base64url").slice(0, 22);

const namesTag = (header: string | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === `"${tag}"`);

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers["accept-encoding"] ?? ""));

/** Sends a JSON body with its ETag, compressed once per version; 304 when the client has it (RFC 9110, 13.1.2). */
export type SendConditionally = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
) => Promise<FastifyReply>;

interface Version {
  readonly tag: string;
  readonly plain: Buffer;
  gzip?: Promise<Buffer>;
}

export const createConditionalSender = (): SendConditionally => {
  /** The encoded versions of each body, least recently used first. */
  const versions = new Map<string, Version>();
  let bytes = 0;
  const versionOf = (body: string): Version => {
    const known = versions.get(body);
    const version = known ?? { tag: tagOf(body), plain: Buffer.from(body) };
    if (known) versions.delete(body);
    else bytes += version.plain.length;
    versions.set(body, version);
    for (const [oldest, { plain }] of versions) {
      if (bytes <= maxRememberedBytes || oldest === body) break;
      versions.delete(oldest);
      bytes -= plain.length;
    }
    return version;
  };
  return async (request, reply, body) => {
    const version = versionOf(body);
    // Weak, because the compressed answer differs in its bytes.
    reply.header("etag", `W/"${version.tag}"`);
    if (namesTag(request.headers["if-none-match"], version.tag)) return reply.code(304).send();
    reply.code(200).type("application/json; charset=utf-8").header("vary", "accept-encoding");
    if (version.plain.length < minCompressedBytes || !acceptsGzip(request)) return reply.send(version.plain);
    version.gzip ??= compress(version.plain, { level: constants.Z_BEST_SPEED });
    return reply.header("content-encoding", "gzip").send(await version.gzip);
  };
};
