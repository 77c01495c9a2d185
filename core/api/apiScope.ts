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
  "account:read": null,
});
export type ApiScope = t.TypeOf<typeof ApiScope>;

/** The API tokens that may call an endpoint: those with a scope, every valid one, or none. */
export type TokenAccess = ApiScope | "any" | "none";
