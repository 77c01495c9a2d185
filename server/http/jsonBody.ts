import type { FastifyInstance } from "fastify";
import { Refusal } from "./refusal.ts";

const unreadable = (): Refusal => new Refusal(400, "The request body is not valid JSON.");

/** UTF-8 as RFC 8259 wants it; throws on anything else instead of guessing. */
const text = new TextDecoder("utf-8", { fatal: true });

/**
 * Takes JSON and nothing else. An empty body is no body; keys that would reach into prototypes are refused
 * like what is not JSON at all.
 */
export const takeJson = (fastify: FastifyInstance): void => {
  const parse = fastify.getDefaultJsonParser("error", "error");
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      return parse(request, text.decode(body as Buffer), (error, value) =>
        done(error && unreadable(), value),
      );
    } catch {
      return done(unreadable(), undefined);
    }
  });
};
