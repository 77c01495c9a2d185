import type { FastifyReply, FastifyRequest } from "fastify";
import type { StoredAnswer } from "../answers/storedAnswer.ts";

/** Smaller answers fit into one or two packets anyway. */
const minCompressedBytes = 1_400;

const namesTag = (header: string | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === `"${tag}"`);

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers["accept-encoding"] ?? ""));

/** Sends a stored answer; 304 when the client has it (RFC 9110, 13.1.2). */
export const sendStoredAnswer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, length, plain, gzip }: StoredAnswer,
): Promise<FastifyReply> => {
  // NOTE: a strong tag would be wrong: the compressed answer differs in its bytes.
  reply.header("etag", `W/"${tag}"`);
  if (namesTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  reply.code(200).type("application/json; charset=utf-8").header("vary", "accept-encoding");
  if (length < minCompressedBytes || !acceptsGzip(request)) return reply.send(plain());
  return reply.header("content-encoding", "gzip").send(await gzip());
};
