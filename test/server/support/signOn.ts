import type { OidcConfig } from "../../../server/platform/config/oidc.ts";
import type { IdentityProvider } from "../../support/identityProvider.ts";
import { type Answer, type Client, createClient } from "./client.ts";

/** The settings of a server that signs in with a provider. */
export const oidcConfigOf = (
  { issuer, clientId, clientSecret }: Pick<IdentityProvider, "issuer" | "clientId" | "clientSecret">,
  more: Partial<OidcConfig> = {},
): OidcConfig => ({ issuer, clientId, clientSecret, name: "Home", allowed: [], only: false, ...more });

const placeOf = (answer: Answer): string => answer.headers.get("location") ?? "";

/** The way of a browser to the provider and back, with the cookies that each of the two sites has set. */
export interface SignOnVisit {
  readonly browser: Client;
  /** The browser at the provider. */
  readonly atProvider: Client;
}

export const newVisit = (server: { readonly client: () => Client }, issuer: string): SignOnVisit => ({
  browser: server.client(),
  atProvider: createClient(issuer),
});

/** Goes to the provider, which signs in at once, and returns the path that it sends the browser back to. */
export const throughProvider = async ({ browser, atProvider }: SignOnVisit): Promise<string> => {
  let place = placeOf(await browser.call("GET", "/login/oidc"));
  for (let step = 0; step < 10; step += 1) {
    const { pathname, search } = new URL(place);
    if (pathname.endsWith("/login/oidc/callback")) return `/login/oidc/callback${search}`;
    const answer = await atProvider.call("GET", `${pathname}${search}`);
    if (placeOf(answer) === "") throw new Error(`the provider answers ${answer.status}: ${answer.text}`);
    place = new URL(placeOf(answer), place).href;
  }
  throw new Error("the provider does not lead back");
};

/** Goes to the provider and back, and returns where the sign-in page begins. */
export const signOn = async (visit: SignOnVisit): Promise<string> =>
  placeOf(await visit.browser.call("GET", await throughProvider(visit)));

/** Exchanges the ticket in the address of the sign-in page. */
export const openTicket = async (browser: Client, address: string): Promise<Answer> => {
  const ticket = /^\/login#sso=([\w-]+)$/.exec(address)?.[1];
  if (ticket === undefined) throw new Error(`no ticket: ${address}`);
  const answer = await browser.call("POST", "/login/oidc/ticket", { body: { ticket } });
  const { token } = answer.json as { token?: string };
  if (token !== undefined) browser.token = token;
  return answer;
};
