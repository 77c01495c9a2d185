import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type Provider from "oidc-provider";

/** A person whom the identity provider knows. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly groups?: readonly string[];
}

/** npm's oidc-provider as an identity provider with one client, whose sign-in page is one button a person. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whom the provider signs in without asking, for programs; null shows the page. */
  asked: ProviderAccount | null;
  readonly accounts: ProviderAccount[];
  /** Registers the server that it signs in to. */
  readonly serve: (publicUrl: string, logoutUri?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const clientId = "bauta";
const clientSecret = "a secret of the client that nobody else has";

const signingKey = (): Readonly<Record<string, unknown>> => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  use: "sig",
  alg: "RS256",
  kid: "first",
});

/** It warns of what it is not used for here, such as keeping its data in memory. */
const quietly = async <A>(work: () => Promise<A>): Promise<A> => {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return await work();
  } finally {
    console.warn = warn;
    console.info = info;
  }
};

const hourS = 3_600;

const createProvider = (
  Provider: new (issuer: string, configuration: Readonly<Record<string, unknown>>) => Provider,
  issuer: string,
  accounts: readonly ProviderAccount[],
  { publicUrl, logoutUri }: { publicUrl: string; logoutUri: string | undefined },
): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/login/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/login`],
        ...(logoutUri === undefined
          ? {}
          : { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    scopes: ["openid", "email", "profile", "groups"],
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        postLogoutSuccessSource: (context: { body: unknown }) => {
          context.body = "<!doctype html><title>Logged out</title>";
        },
        logoutSource: (context: { body: unknown }, form: string) => {
          context.body = `<!doctype html><title>Log out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Log out</button>`;
        },
      },
    },
    jwks: { keys: [signingKey()] },
    // Its own way asks public networks only.
    fetch: (url: string, { method = "GET", headers = {}, body = null }: RequestInit) =>
      fetch(url, { method, headers, body }),
    cookies: { keys: ["a key of the tests"] },
    ttl: { Interaction: hourS, Grant: hourS, Session: hourS, AccessToken: hourS, IdToken: hourS },
    pkce: { required: () => true },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => {
      const account = accounts.find(({ sub }) => sub === id);
      return account && { accountId: id, claims: () => ({ ...account }) };
    },
  });

/** Starts it on a free port of this machine, under one of its names: cookies of "localhost" are those of another site. */
export const startIdentityProvider = async (
  host: "127.0.0.1" | "localhost" = "127.0.0.1",
): Promise<IdentityProvider> => {
  let provider: Provider | null = null;
  const accounts: ProviderAccount[] = [];

  const consent = async (request: IncomingMessage, response: ServerResponse, accountId: string) => {
    if (provider === null) return;
    const { params } = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(String(params["scope"]));
    const consented = { login: { accountId }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, consented, { mergeWithLastSubmission: true });
  };

  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chosen = new URL(request.url ?? "", "http://provider").searchParams.get("as");
    const details = await provider?.interactionDetails(request, response);
    const known = details?.prompt.name === "consent" ? details.session?.accountId : undefined;
    const accountId = known ?? chosen ?? identityProvider.asked?.sub;
    if (chosen === "nobody")
      return provider?.interactionFinished(request, response, { error: "access_denied" });
    if (accountId !== undefined) return consent(request, response, accountId);
    const buttons = [...accounts.map(({ sub }) => sub), "nobody"].map(
      (sub) => `<p><a href="?as=${sub}">Log in as ${sub}</a></p>`,
    );
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>${buttons.join("")}`,
    );
  };

  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/")) {
      interact(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    } else if (provider) provider.callback()(request, response);
    else response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;

  const identityProvider: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    asked: null,
    accounts,
    serve: async (publicUrl, logoutUri) => {
      provider = await quietly(async () =>
        createProvider((await import("oidc-provider")).default, issuer, accounts, { publicUrl, logoutUri }),
      );
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return identityProvider;
};
