import { STATUS_CODES } from "node:http";
import type { FastifyRequest } from "fastify";
import type { ErrorReply } from "./httpError.ts";

export const problemType = "application/problem+json";

const qualityOf = (parameters: readonly string[]): number => {
  const text = parameters.find((one) => one.startsWith("q="))?.slice("q=".length);
  const quality = text === undefined ? 1 : Number(text);
  return quality >= 0 && quality <= 1 ? quality : 0;
};

/**
 * True if the Accept header names problem details and wants them at least as much as plain JSON. A wildcard alone asks for
 * neither form, so it keeps the plain one.
 */
export const prefersProblem = ({ headers }: Pick<FastifyRequest, "headers">): boolean => {
  const qualities = new Map<string, number>();
  for (const part of (headers.accept ?? "").split(",")) {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    qualities.set(type, qualityOf(parameters));
  }
  const wanted = qualities.get(problemType) ?? 0;
  return wanted > 0 && wanted >= (qualities.get("application/json") ?? 0);
};

/**
 * Writes an error as problem details (RFC 9457). Its type is `about:blank`, so its title is that of the status; `code` says
 * more closely what it is, and the members of the plain form that are not its message stay as extensions. There is no
 * `instance`, because nothing more can be read about one occurrence.
 */
export const toProblem = ({ status, code, body }: ErrorReply): Readonly<Record<string, unknown>> => {
  const { message, ...extensions } = body;
  return {
    ...extensions,
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    ...(code === undefined ? {} : { code }),
  };
};
