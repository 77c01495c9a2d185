import type { ApiToken, NewApiToken } from "../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs } from "../../core/kernel/durations.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

/** The text of each token that the fake server makes. */
export const madeToken = "bauta_3f7k2q9xw4hc6nd5rm8jt0pbvzgeysa2l7k3q9xm5ub6h2tc";

const isoOf = (ms: number): string => new Date(ms).toISOString();

export const createApiToken = (id: string, more: Partial<ApiToken> = {}): ApiToken => ({
  id,
  name: `Program ${id}`,
  scopes: ["masks:create"],
  domain: null,
  created: isoOf(startsAt),
  expires: null,
  lastUsed: null,
  lastNetwork: null,
  ...more,
});

/** The API tokens of the product's user, as the server keeps them. */
export interface ProductApiTokens {
  readonly all: () => readonly ApiToken[];
  readonly set: (tokens: readonly ApiToken[]) => void;
}

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

/** Serves the tokens; each that is made has its name as id. */
export const serveApiTokens = (server: FakeHttp, authorised: Authorise): ProductApiTokens => {
  let tokens: readonly ApiToken[] = [];
  const missing: Answer = { status: 404, json: { message: "This token is revoked already." } };
  server.on(
    "GET",
    "/account/api-tokens",
    authorised(() => ({ json: { tokens } })),
  );
  server.on(
    "POST",
    "/account/api-tokens",
    authorised(({ body }) => {
      const { name, scopes, domain, lifetimeDays } = body as NewApiToken;
      const message = name.trim() === "" ? "Name the program" : null;
      if (message !== null) return { status: 400, json: { message, errors: [{ field: "name", message }] } };
      const expires = lifetimeDays === null ? null : isoOf(startsAt + lifetimeDays * dayMs);
      const apiToken = createApiToken(name, { name, scopes, domain, expires });
      tokens = [apiToken, ...tokens];
      return { status: 201, json: { apiToken, token: madeToken } };
    }),
  );
  server.on(
    "PATCH",
    "/account/api-tokens/:id",
    authorised(({ params, body }) => {
      const { name } = body as { name: string };
      tokens = tokens.map((one) => (one.id === params["id"] ? { ...one, name } : one));
      const json = tokens.find(({ id }) => id === params["id"]);
      return json ? { json } : missing;
    }),
  );
  server.on(
    "DELETE",
    "/account/api-tokens/:id",
    authorised(({ params }) => {
      const before = tokens.length;
      tokens = tokens.filter(({ id }) => id !== params["id"]);
      return tokens.length < before ? { json: {} } : missing;
    }),
  );
  return {
    all: () => tokens,
    set: (next) => {
      tokens = next;
    },
  };
};
