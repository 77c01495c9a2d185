import type { ApiScope } from "../../../core/api/apiScope.ts";
import { codeMailedTo, type RunningServer } from "../../e2e/support/server.ts";
import { createClient } from "../../server/support/client.ts";

/** The page of a user beside the command line. */
export interface Browser {
  readonly makeToken: (scopes: readonly ApiScope[]) => Promise<string>;
  readonly revokeTokens: () => Promise<void>;
  /** How many sessions the user has, that of this page included. */
  readonly countSessions: () => Promise<number>;
}

/** Logs in by a code, which is none of those that were mailed before. */
export const logInInBrowser = async (
  server: RunningServer,
  email: string,
  seen: ReadonlySet<string>,
): Promise<Browser> => {
  const client = createClient(server.url);
  await client.call("POST", "/login", { body: { email } });
  const otp = await codeMailedTo(server, email, seen);
  const { json } = await client.call("PUT", "/login", { body: { email, otp } });
  client.token = (json as { token: string }).token;
  return {
    makeToken: async (scopes) => {
      const { json: made } = await client.call("POST", "/account/api-tokens", {
        body: { name: "Script", scopes, domain: null, lifetimeDays: 30 },
      });
      return (made as { token: string }).token;
    },
    revokeTokens: async () => {
      const { json: listed } = await client.call("GET", "/account/api-tokens");
      for (const { id } of (listed as { tokens: readonly { id: string }[] }).tokens)
        await client.call("DELETE", `/account/api-tokens/${id}`);
    },
    countSessions: async () => {
      const { json: listed } = await client.call("GET", "/account/sessions");
      return (listed as { sessions: readonly unknown[] }).sessions.length;
    },
  };
};
