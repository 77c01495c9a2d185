import * as t from "io-ts";
import { ApiScope } from "../api/apiScope.ts";
import { endpoint } from "../api/endpoint.ts";
import { isStorable, refined, requiredText } from "../api/textCodecs.ts";
import { domainName } from "../mail/domainName.ts";

/** The prefix of every API token, by which programs that look for lost secrets find it. */
export const apiTokenPrefix = "bauta_";

/** The prefix that a token may have instead: programs of addy.io check their key themselves and take no other. */
export const addyTokenPrefix = "addy_io_";

/** True if a text has the prefix of an API token, in either spelling. */
export const startsAsApiToken = (text: string): boolean =>
  text.startsWith(apiTokenPrefix) || text.startsWith(addyTokenPrefix);

/** Returns a token as programs of addy.io take it: the same characters after another beginning. */
export const toAddySpelling = (token: string): string =>
  `${addyTokenPrefix}${token.slice(apiTokenPrefix.length)}`;

/** The most API tokens of an account. */
export const maxApiTokens = 50;

/** A key for one program of a user, which calls the API in place of a session. Dates are ISO 8601. */
export const ApiToken = t.type({
  id: t.string,
  name: t.string,
  scopes: t.readonlyArray(ApiScope),
  /** The only domain at which it makes masks; null for every domain of the user. */
  domain: t.union([domainName("a domain"), t.null]),
  created: t.string,
  /** null for a token that does not end. */
  expires: t.union([t.string, t.null]),
  /** To within a minute; null before the first use. */
  lastUsed: t.union([t.string, t.null]),
  /** The network of the last use, such as 203.0.113.0/24; null before the first one. */
  lastNetwork: t.union([t.string, t.null]),
});
export type ApiToken = t.TypeOf<typeof ApiToken>;

/** The lifetime of a new token in days; null for one that does not end. */
export const TokenLifetime = t.union([t.literal(30), t.literal(90), t.literal(365), t.null]);
export type TokenLifetime = t.TypeOf<typeof TokenLifetime>;

export const maxApiTokenName = 60;

/** The days before its end from which a token is marked, and on which its user is notified. */
export const endNoticeDays = 7;

const Name = refined(
  requiredText("Name the program"),
  (name) => name.length <= maxApiTokenName && isStorable(name),
  `Use at most ${maxApiTokenName} characters`,
);

const Scopes = refined(
  t.readonlyArray(ApiScope),
  (scopes) => scopes.length > 0 && new Set(scopes).size === scopes.length,
  "Choose what the program may do, each once",
);

/** A token as its user asks for it. Only a token that can do nothing but make masks has a domain. */
export const NewApiToken = refined(
  t.type({
    name: Name,
    scopes: Scopes,
    domain: t.union([domainName("Choose one of your domains"), t.null]),
    lifetimeDays: TokenLifetime,
  }),
  ({ domain, scopes }) => domain === null || scopes.every((scope) => scope === "masks:create"),
  "A token for one domain can only create masks",
);
export type NewApiToken = t.TypeOf<typeof NewApiToken>;

const params = t.type({ id: t.string });

/** Lists the caller's API tokens, newest first. Extends the contract. */
export const listApiTokens = endpoint("GET", "/account/api-tokens", {
  answer: t.type({ tokens: t.readonlyArray(ApiToken) }),
});

/**
 * Makes an API token; 409 beyond 50. The answer is the only place where the token is readable. `domain` is one where
 * the caller can make masks.
 */
export const postApiToken = endpoint("POST", "/account/api-tokens", {
  status: 201,
  needsRecentProof: true,
  body: NewApiToken,
  answer: t.type({ apiToken: ApiToken, token: t.string }),
});

/** Renames an API token; 404 when the caller has none with this id. */
export const patchApiToken = endpoint("PATCH", "/account/api-tokens/:id", {
  params,
  body: t.type({ name: Name }),
  answer: ApiToken,
});

/** Revokes an API token, at once and in all processes; 404 when the caller has none with this id. */
export const deleteApiToken = endpoint("DELETE", "/account/api-tokens/:id", { params });

/** Returns the token that the request is made with, for programs that check it; 404 for a session. */
export const getOwnApiToken = endpoint("GET", "/api-token", { tokens: "any", answer: ApiToken });
