import { codeAt } from "./authenticator.ts";
import type { Answer, Client } from "./client.ts";
import type { TestServer } from "./startServer.ts";

/** An account with two-factor authentication on. */
export interface Protected {
  readonly email: string;
  readonly browser: Client;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Returns the current code of the authenticator. */
export const codeNow = (server: TestServer, secret: string): string => codeAt(secret, server.clock.now());

/** Advances the clock to the next time step, because each code is accepted only once. */
export const nextStep = (server: TestServer): void => server.clock.advance(30_000);

/** Signs a user in and turns two-factor authentication on; the next code is not used yet. */
export const protect = async (server: TestServer, email: string): Promise<Protected> => {
  const browser = await server.signIn(email);
  const { secret } = (await browser.call("POST", "/account/2fa/setup")).json as { secret: string };
  const verified = await browser.call("POST", "/account/2fa/verify", {
    body: { code: codeNow(server, secret) },
  });
  const { recoveryCodes } = verified.json as { recoveryCodes: readonly string[] };
  nextStep(server);
  return { email, browser, secret, recoveryCodes };
};

/** Enters the mailed code on a new browser; returns the ticket for the second factor. */
export const askForFactor = async (server: TestServer, email: string): Promise<string> => {
  await server.client().call("POST", "/login", { body: { email } });
  const answer = await server
    .client()
    .call("PUT", "/login", { body: { email, otp: await server.code(email) } });
  return (answer.json as { tempToken: string }).tempToken;
};

/** Sends a second factor from a new browser. */
export const offer = (
  server: TestServer,
  body: { readonly email: string; readonly code: string; readonly tempToken: string },
): Promise<Answer> => server.client().call("POST", "/login/verify2fa", { body });
