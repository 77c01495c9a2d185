import * as t from "io-ts";

/** The permissions that an API token can have. A new scope needs its sentence in `core/apiTokens/scopeTexts.ts`. */
export const ApiScope = t.keyof({
  "masks:create": null,
  "masks:read": null,
  "masks:write": null,
  destinations: null,
  correspondents: null,
  "log:read": null,
  "codes:read": null,
  "codes:read:all": null,
  "account:read": null,
});
export type ApiScope = t.TypeOf<typeof ApiScope>;

/** True if a token with these scopes may do what needs one of them: the wider scope has the narrower one. */
export const hasScope = (scopes: readonly ApiScope[], needed: ApiScope): boolean =>
  scopes.includes(needed) || (needed === "codes:read" && scopes.includes("codes:read:all"));

/** The API tokens that may call an endpoint: those with a scope, every valid one, or none. */
export type TokenAccess = ApiScope | "any" | "none";
