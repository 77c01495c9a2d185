import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";

/** What a hostile provider answers at a path. */
export interface HostileAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** Never answers. */
  readonly isSilent?: true;
}

export interface TokenKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

type Claims = Readonly<Record<string, unknown>>;

/** A provider that follows the protocol until a test changes one of its answers. */
export interface HostileProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The nonce of the sign-in under way. */
  nonce: string;
  /** The keys that it publishes. */
  keys: readonly TokenKey[];
  /** Answers in place of the usual ones, by path. */
  readonly answers: Map<string, HostileAnswer>;
  /** How many requests came to a path. */
  readonly asked: Map<string, number>;
  /** The form of the last request to the token endpoint. */
  lastToken: URLSearchParams;
  readonly discovery: () => Claims;
  /** The claims of a right ID token. */
  readonly claims: (now: number) => Claims;
  idToken: () => Promise<string>;
  readonly sign: (claims: Claims, header?: Claims, key?: TokenKey) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export const newKey = (kid: string): TokenKey => ({
  kid,
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }),
});

/** A token without a signature. */
export const unsigned = (claims: Claims): string =>
  `${[{ alg: "none", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;

export const startHostileProvider = async (): Promise<HostileProvider> => {
  const answers = new Map<string, HostileAnswer>();
  const asked = new Map<string, number>();
  const [clientId, clientSecret] = ["bauta", "a secret of the client that nobody else has"];

  const usual = async (path: string): Promise<HostileAnswer> => {
    switch (path) {
      case "/.well-known/openid-configuration":
        return { body: hostile.discovery() };
      case "/jwks":
        return {
          body: {
            keys: hostile.keys.map(({ kid, publicKey }) => ({
              ...publicKey.export({ format: "jwk" }),
              kid,
              alg: "ES256",
              use: "sig",
            })),
          },
        };
      case "/token":
        return {
          body: { access_token: "an access token", token_type: "Bearer", id_token: await hostile.idToken() },
        };
      case "/userinfo":
        return { body: { sub: "anna", email: "anna@home.example", email_verified: true } };
      default:
        return { status: 404 };
    }
  };

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://provider").pathname;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      if (path === "/token") hostile.lastToken = new URLSearchParams(Buffer.concat(chunks).toString());
      const { status = 200, headers = {}, body = {}, isSilent } = answers.get(path) ?? (await usual(path));
      if (isSilent) return;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const hostile: HostileProvider = {
    issuer,
    clientId,
    clientSecret,
    nonce: "",
    keys: [newKey("first")],
    answers,
    asked,
    lastToken: new URLSearchParams(),
    discovery: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["ES256"],
      authorization_response_iss_parameter_supported: true,
    }),
    claims: (now) => ({
      iss: issuer,
      sub: "anna",
      aud: clientId,
      nonce: hostile.nonce,
      iat: Math.floor(now / 1_000),
      exp: Math.floor(now / 1_000) + 300,
      email: "anna@home.example",
      email_verified: true,
    }),
    idToken: async () => hostile.sign(hostile.claims(Date.now())),
    sign: (claims, header = {}, key = hostile.keys[0]) => {
      if (!key) throw new Error("no key");
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "ES256", kid: key.kid, ...header })
        .sign(key.privateKey);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return hostile;
};
