import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBodyParser, FastifyInstance } from "fastify";
import { UseCaseError } from "../errors/useCaseError.ts";
import { statusMessage } from "./httpError.ts";

const invalidJson = (): UseCaseError => new UseCaseError("invalid", "The request body is not valid JSON.");

/** Throws on invalid bytes, as RFC 8259 requires. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Creates the parser of bodies that are JSON, or empty: then the body is undefined. */
export const parseJson = (fastify: FastifyInstance): FastifyBodyParser<Buffer> => {
  const parse = fastify.getDefaultJsonParser("error", "error");
  return (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      return parse(request, utf8.decode(body), (error, value) => done(error && invalidJson(), value));
    } catch {
      return done(invalidJson(), undefined);
    }
  };
};

/**
 * Accepts JSON bodies only; an empty one is undefined. Refuses invalid JSON and keys that could change
 * prototypes (`__proto__`, `constructor`) with 400.
 */
export const acceptJson = (fastify: FastifyInstance): void => {
  const parser = parseJson(fastify);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("application/json", { parseAs: "buffer" }, parser);
};

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers invalid or incomplete HTTP with a JSON error and closes the connection, unless it is already broken. */
export const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status = statusOf[error.code ?? ""] ?? 400;
  const body = JSON.stringify({ message: statusMessage(status) });
  if (socket.writable)
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        "content-type: application/json; charset=utf-8",
        `content-length: ${Buffer.byteLength(body)}`,
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  socket.destroySoon();
};
