import { expect } from "chai";
import type { ApiScope } from "../../../../core/api/apiScope.ts";
import type { NewApiToken } from "../../../../core/apiTokens/apiTokenEndpoints.ts";
import type { Client } from "../../support/client.ts";

/** All that a password manager or an app may be allowed. */
const allScopes: readonly ApiScope[] = [
  "masks:create",
  "masks:read",
  "masks:write",
  "destinations",
  "correspondents",
  "log:read",
  "account:read",
];

/** Makes an API token of a signed-in user. */
export const makeToken = async (owner: Client, asked: Partial<NewApiToken> = {}): Promise<string> => {
  const { json, status } = await owner.call("POST", "/account/api-tokens", {
    body: { name: "Password manager", scopes: allScopes, domain: null, lifetimeDays: 90, ...asked },
  });
  expect(status).to.equal(201);
  return (json as { token: string }).token;
};
