import * as t from "io-ts";
import type { HttpMethod } from "../ports/http.ts";

/** A codec between what is on the wire (JSON, unknown until decoded) and what the program uses. */
export type Codec<A> = t.Type<A, unknown, unknown>;

/** Who may call: anyone, or the holder of a session. */
export type Authentication = "none" | "session";

/**
 * A call as data: written once, encoded by the client (`requests/call.ts`)
 * and decoded by the server's router, so the two cannot disagree.
 */
export interface Endpoint<Params, Body, Answer> {
  readonly method: HttpMethod;
  /** From the root; a segment that starts with ":" is a parameter. */
  readonly path: string;
  readonly authentication: Authentication;
  /** The segments by their names; a parameter that is no segment stands in the query. */
  readonly params: t.Type<Params, Readonly<Record<string, string>>, unknown>;
  readonly body: Codec<Body>;
  readonly answer: Codec<Answer>;
}

/** The codec of "there is nothing here": accepts anything, means nothing, is not sent. */
const nothing: t.Type<void, undefined, unknown> = new t.Type(
  "nothing",
  (u): u is void => u === undefined,
  () => t.success(undefined),
  () => undefined,
);

const noParams: t.Type<void, Readonly<Record<string, string>>, unknown> = new t.Type(
  "no parameters",
  (u): u is void => u === undefined,
  () => t.success(undefined),
  () => ({}),
);

interface Parts<Params, Body, Answer> {
  readonly params?: Endpoint<Params, Body, Answer>["params"];
  readonly body?: Codec<Body>;
  readonly answer?: Codec<Answer>;
  readonly authentication?: Authentication;
}

/** Declares a call. What is left out is `nothing`; a session is needed unless said otherwise. */
export const endpoint = <Params = void, Body = void, Answer = void>(
  method: HttpMethod,
  path: string,
  parts: Parts<Params, Body, Answer> = {},
): Endpoint<Params, Body, Answer> => ({
  method,
  path,
  authentication: parts.authentication ?? "session",
  params: parts.params ?? (noParams as unknown as Endpoint<Params, Body, Answer>["params"]),
  body: parts.body ?? (nothing as unknown as Codec<Body>),
  answer: parts.answer ?? (nothing as unknown as Codec<Answer>),
});

/** Fills the parameters into the path, percent-encoded; those without a segment of their own make the query. */
export const pathOf = (path: string, params: Readonly<Record<string, string | undefined>>): string => {
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || path.split("/").includes(`:${name}`) ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
};
