import { jwtVerify } from "jose";
import type { Configuration, ServerMetadata } from "openid-client";
import type { Clock } from "../../../core/ports/clock.ts";
import { isLoopbackHost } from "../../platform/config/loopbackOrigin.ts";
import type { OidcConfig } from "../../platform/config/oidc.ts";
import { type Claims, claimAt, type ProvenIdentity, saysMultiFactor, verifiedEmail } from "./claims.ts";
import { askProvider } from "./providerFetch.ts";
import { createProviderKeys } from "./providerKeys.ts";
import { asRefusal, SignOnRefusal, wordsIn } from "./signOnRefusal.ts";

/** How far the clocks of the provider and of this server may differ. */
const clockToleranceS = 60;

/** What the provider says of itself is asked for again after this time; when it is away, what it said before counts on. */
const metadataForMs = 60 * 60_000;
/** After a failure the provider is not asked again for this time. */
const pauseAfterFailureMs = 3_000;

/** Signatures with a key pair (RFC 7518); one with the client's secret, or none, is refused. */
export const usableAlgorithms: readonly string[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** What the browser keeps between the way to the provider and the way back. */
export interface SignOnChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a logout token says. */
export interface LogoutClaims {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
  readonly id: string;
  readonly expiresAt: number;
}

/** The identity provider. Everything rejects with a `SignOnRefusal`. */
export interface Provider {
  /** Returns where the browser goes, and what it keeps meanwhile. */
  readonly begin: () => Promise<{ readonly address: string; readonly checks: SignOnChecks }>;
  /** Exchanges the address that the browser came back to for who it is. */
  readonly finish: (returned: URL, checks: SignOnChecks) => Promise<ProvenIdentity>;
  readonly readLogout: (token: string) => Promise<LogoutClaims>;
  /** Whether the provider accepts the client and its secret; null when its answer does not say. */
  readonly tryClient: () => Promise<boolean | null>;
  /** What the provider says of itself. */
  readonly metadata: () => Promise<ServerMetadata>;
}

export const callbackPath = "/login/oidc/callback";
export const logoutPath = "/login/oidc/logout";

/** Loaded with the first sign-in, because most servers have no provider. */
const loadClient = () => import("openid-client");

/** What refuses a client (RFC 6749, 5.2); some providers send it as a challenge of HTTP. */
const clientRefusals = ["invalid_client", "unauthorized_client", "OAUTH_WWW_AUTHENTICATE_CHALLENGE"];

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

interface ProviderDeps {
  readonly oidc: OidcConfig;
  readonly publicUrl: string;
  readonly clock: Pick<Clock, "now">;
}

/** Creates the provider; it is asked for what it says of itself when it is first needed. */
export const createProvider = ({ oidc, publicUrl, clock }: ProviderDeps): Provider => {
  const { issuer, clientId, clientSecret } = oidc;
  const mayLackTls = isLoopbackHost(new URL(issuer).host);
  const keysAt = createProviderKeys(clock);
  const redirectUri = `${publicUrl}${callbackPath}`;

  let known: { readonly metadata: ServerMetadata; readonly at: number } | null = null;
  let failed: { readonly refusal: SignOnRefusal; readonly at: number } | null = null;
  let asking: Promise<ServerMetadata> | null = null;

  const discover = async (): Promise<ServerMetadata> => {
    const client = await loadClient();
    try {
      const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
        [client.customFetch]: askProvider as never,
        execute: mayLackTls ? [client.allowInsecureRequests] : [],
      });
      const metadata = found.serverMetadata();
      if (metadata.issuer !== issuer) throw new SignOnRefusal("refused", "discovery: another issuer");
      known = { metadata, at: clock.now() };
      failed = null;
      return metadata;
    } catch (error) {
      const refusal = asRefusal(error, "discovery");
      failed = { refusal, at: clock.now() };
      throw refusal;
    }
  };

  const isWithin = (at: number, ms: number): boolean => Math.abs(clock.now() - at) < ms;

  const metadata = async (): Promise<ServerMetadata> => {
    if (known && isWithin(known.at, metadataForMs)) return known.metadata;
    if (failed && isWithin(failed.at, pauseAfterFailureMs)) {
      if (known) return known.metadata;
      throw failed.refusal;
    }
    asking ??= discover().finally(() => {
      asking = null;
    });
    try {
      return await asking;
    } catch (error) {
      if (known && (error as SignOnRefusal).problem === "unavailable") return known.metadata;
      throw error;
    }
  };

  const configuration = async (): Promise<Configuration> => {
    const client = await loadClient();
    const server = await metadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_basic")
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const found = new client.Configuration(
      server,
      clientId,
      {
        [client.clockTolerance]: clockToleranceS,
        [client.clockSkew]: Math.round((clock.now() - Date.now()) / 1_000),
      },
      authentication,
    );
    found[client.customFetch] = askProvider as never;
    if (mayLackTls) client.allowInsecureRequests(found);
    return found;
  };

  /** Checks the signature and the times of a token of the provider. */
  const verified = async (token: string, types: readonly (string | undefined)[]): Promise<Claims> => {
    const { jwks_uri: address } = await metadata();
    if (address === undefined) throw new SignOnRefusal("refused", "discovery: no keys");
    if (!mayLackTls && !address.startsWith("https://"))
      throw new SignOnRefusal("refused", "discovery: keys without TLS");
    const now = clock.now();
    const { payload, protectedHeader } = await jwtVerify(token, keysAt(address), {
      algorithms: [...usableAlgorithms],
      issuer,
      audience: clientId,
      requiredClaims: ["iat", "exp"],
      clockTolerance: clockToleranceS,
      currentDate: new Date(now),
    });
    const { iat = 0, azp } = payload;
    if (!types.includes(protectedHeader.typ?.toLowerCase())) throw new SignOnRefusal("refused", "token: typ");
    if (iat > now / 1_000 + clockToleranceS) throw new SignOnRefusal("refused", "token: iat in the future");
    if (azp !== undefined && azp !== clientId) throw new SignOnRefusal("refused", "token: azp");
    return payload;
  };

  const begin: Provider["begin"] = async () => {
    const client = await loadClient();
    const found = await configuration();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const offered: unknown = found.serverMetadata().scopes_supported;
    const named = oidc.allowed.flatMap((entry) => (entry.kind === "claim" ? entry.claim : []));
    const more = named.filter((claim) => Array.isArray(offered) && offered.includes(claim));
    const address = client.buildAuthorizationUrl(found, {
      redirect_uri: redirectUri,
      scope: [...new Set(["openid", "email", "profile", ...more])].join(" "),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
    });
    return { address: address.href, checks };
  };

  /** What the token lacks of what is asked for; the user-info endpoint may know it. */
  const lacks = (claims: Claims): boolean =>
    claims["email"] === undefined ||
    claims["email_verified"] === undefined ||
    oidc.allowed.some((entry) => entry.kind === "claim" && claimAt(claims, entry.claim) === undefined);

  const finish: Provider["finish"] = async (returned, { state, nonce, verifier }) => {
    const client = await loadClient();
    const found = await configuration();
    const tokens = await client.authorizationCodeGrant(found, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = await verified(tokens.id_token ?? "", [undefined, "jwt"]);
    const { sub } = claims;
    if (claims["nonce"] !== nonce) throw new SignOnRefusal("refused", "token: nonce");
    if (typeof sub !== "string" || sub === "" || sub.length > 255)
      throw new SignOnRefusal("refused", "token: sub");
    const asksMore = lacks(claims) && found.serverMetadata().userinfo_endpoint !== undefined;
    const more: Claims = asksMore ? await client.fetchUserInfo(found, tokens.access_token, sub) : {};
    const { sid } = claims;
    return {
      issuer,
      subject: sub,
      sid: typeof sid === "string" && sid !== "" && sid.length <= 255 ? sid : null,
      email: verifiedEmail(claims) ?? (claims["email_verified"] === undefined ? verifiedEmail(more) : null),
      isMultiFactor: saysMultiFactor(claims),
      claims: { ...more, ...claims },
    };
  };

  const readLogout: Provider["readLogout"] = async (token) => {
    const claims = await verified(token, [undefined, "jwt", "logout+jwt"]);
    const { sub = null, sid = null, jti, exp, events, nonce } = claims;
    const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
    const event = typeof events === "object" && events !== null ? (events as Claims)[logoutEvent] : undefined;
    const isSound =
      nonce === undefined &&
      typeof event === "object" &&
      event !== null &&
      isText(jti) &&
      jti.length <= 255 &&
      (sub === null || isText(sub)) &&
      (sid === null || isText(sid)) &&
      (sub !== null || sid !== null);
    if (!isSound) throw new SignOnRefusal("refused", "logout: no logout token");
    return {
      issuer,
      subject: sub as string | null,
      sid: sid as string | null,
      id: jti,
      expiresAt: (Number(exp) + clockToleranceS) * 1_000,
    };
  };

  /** A code that nobody has is refused as such only after the client was accepted (RFC 6749, 5.2). */
  const tryClient = async (): Promise<boolean | null> => {
    const client = await loadClient();
    const found = await configuration();
    try {
      await client.genericGrantRequest(found, "authorization_code", {
        code: client.randomState(),
        redirect_uri: redirectUri,
        code_verifier: client.randomPKCECodeVerifier(),
      });
    } catch (error) {
      const answered = wordsIn(error);
      if (answered.includes("invalid_grant")) return true;
      if (answered.some((word) => clientRefusals.includes(word))) return false;
      if (error instanceof Error && asRefusal(error, "").problem === "unavailable") throw error;
    }
    return null;
  };

  const refusing =
    <Given extends readonly unknown[], A>(during: string, work: (...given: Given) => Promise<A>) =>
    async (...given: Given): Promise<A> => {
      try {
        return await work(...given);
      } catch (error) {
        throw asRefusal(error, during);
      }
    };

  return {
    begin: refusing("begin", begin),
    finish: refusing("callback", finish),
    readLogout: refusing("logout", readLogout),
    tryClient: refusing("client", tryClient),
    metadata,
  };
};
