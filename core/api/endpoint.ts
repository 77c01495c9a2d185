import * as t from "io-ts";
import type { HttpMethod } from "../ports/http.ts";
import type { TokenAccess } from "./apiScope.ts";

/** A codec between JSON and a value of the program. */
export type Codec<A> = t.Type<A, unknown, unknown>;

/** The callers that an endpoint takes: anyone, only a signed-in user, or only a program with an API token. */
export type Authentication = "none" | "session" | "token";

/** That a call is to be replaced (RFC 9745, RFC 8594), with a line in the changelog that names its method and path. */
export interface Deprecation {
  /** The day since when it is so, as "2026-11-27". */
  readonly since: string;
  /** The day from which on it may be gone; absent while that is open. */
  readonly until?: string;
  /** The replacement, as a sentence. */
  readonly instead: string;
}

/** An HTTP call as data: the client (`api/call.ts`) and the server both use it, so that they cannot disagree. */
export interface Endpoint<Params, Body, Answer> {
  readonly method: HttpMethod;
  /** The path from the root; a segment that starts with ":" is a parameter. */
  readonly path: string;
  readonly authentication: Authentication;
  /** The API tokens that may call it in place of a session. */
  readonly tokens: TokenAccess;
  /** True if a session needs a sign-in, or another proof of its user, within the last five minutes. */
  readonly needsRecentProof?: true;
  /** The path parameters by name; a parameter without a segment goes into the query. */
  readonly params: t.Type<Params, Readonly<Record<string, string>>, unknown>;
  readonly body: Codec<Body>;
  readonly answer: Codec<Answer>;
  /** The status of an answer that is no error of a use case: one of 204 has no body, and 403 is of calls that always refuse. */
  readonly status: 200 | 201 | 204 | 403;
  readonly deprecation?: Deprecation;
  /** The answer goes on until one side ends it, and `answer` is the codec of each of its events. */
  readonly isStream?: true;
}

/** The name of a call in addresses: `put-masks-id` for PUT /masks/:id. */
export const anchorOf = ({
  method,
  path,
}: Pick<Endpoint<unknown, unknown, unknown>, "path"> & { readonly method: string }): string =>
  `${method} ${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

/** The codec of an absent body: it accepts anything, decodes to undefined and sends nothing. */
const nothing: t.Type<void, undefined, unknown> = new t.Type(
  "nothing",
  (u): u is void => u === undefined,
  () => t.success(undefined),
  () => undefined,
);

const noParams: t.Type<void, Readonly<Record<string, string>>, unknown> = new t.Type(
  "nothing",
  nothing.is,
  nothing.validate,
  () => ({}),
);

type EndpointOptions<Params, Body, Answer> = Partial<Omit<Endpoint<Params, Body, Answer>, "method" | "path">>;

/** Declares an endpoint. Omitted codecs are `nothing`; a session is required by default, and no API token is accepted. */
export const endpoint = <Params = void, Body = void, Answer = void>(
  method: HttpMethod,
  path: string,
  options: EndpointOptions<Params, Body, Answer> = {},
): Endpoint<Params, Body, Answer> => ({
  method,
  path,
  authentication: "session",
  tokens: "none",
  // A codec that is omitted leaves its type parameter at void, which the compiler does not conclude.
  params: noParams as unknown as Endpoint<Params, Body, Answer>["params"],
  body: nothing as unknown as Codec<Body>,
  answer: nothing as unknown as Codec<Answer>,
  status: 200,
  ...options,
});

/** Fills percent-encoded parameters into the path; those without a segment form the query. */
export const pathOf = (path: string, params: Readonly<Record<string, string | undefined>>): string => {
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || path.split("/").includes(`:${name}`) ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
};
