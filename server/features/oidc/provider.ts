import { jwtVerify } from "jose";
import type { Configuration, ServerMetadata } from "openid-client";
import type { Clock } from "../../../core/ports/clock.ts";
import { isLoopbackHost } from "../../platform/config/loopbackOrigin.ts";
import type { OidcConfig } from "../../platform/config/oidc.ts";
import { type Claims, claimAt, type ProvenIdentity, saysMultiFactor, verifiedEmail } from "./claims.ts";
import { askProvider } from "./providerFetch.ts";
import { createProviderKeys } from "./providerKeys.ts";
import { asRefusal, SignOnRefusal, wordsIn } from "./signOnRefusal.ts";

/** The most seconds by which the clocks of the provider and of this server may differ. */
const clockToleranceS = 60;

/**
 * The time after which the provider's metadata is asked for again; while the provider is away, the metadata of before counts on.
 */
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

/** The values that the browser keeps between the way to the provider and the way back. */
export interface SignOnChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The address that the browser goes to, and the values that it keeps meanwhile. */
export interface SignOnStart {
  readonly address: string;
  readonly checks: SignOnChecks;
}

/** The claims of a logout token. */
export interface LogoutClaims {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
  readonly id: string;
  readonly expiresAt: number;
}

export const callbackPath = "/login/oidc/callback";
export const logoutPath = "/login/oidc/logout";

/** Loaded with the first sign-in, because most servers have no provider. */
const loadClient = () => import("openid-client");

/** The errors by which a provider refuses a client (RFC 6749, 5.2); some providers send one as a challenge of HTTP. */
const clientRefusals = ["invalid_client", "unauthorized_client", "OAUTH_WWW_AUTHENTICATE_CHALLENGE"];

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

const refusing = async <A>(during: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error, during);
  }
};

interface ProviderDeps {
  readonly oidc: OidcConfig;
  readonly publicUrl: string;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Talks to the identity provider, which is asked for what it says of itself when it is first needed. Everything rejects
 * with a `SignOnRefusal`.
 */
export class Provider {
  readonly #oidc: OidcConfig;
  readonly #clock: Pick<Clock, "now">;
  readonly #mayLackTls: boolean;
  readonly #keysAt: ReturnType<typeof createProviderKeys>;
  readonly #redirectUri: string;
  #known: { readonly metadata: ServerMetadata; readonly at: number } | null = null;
  #failed: { readonly refusal: SignOnRefusal; readonly at: number } | null = null;
  #asking: Promise<ServerMetadata> | null = null;

  constructor({ oidc, publicUrl, clock }: ProviderDeps) {
    this.#oidc = oidc;
    this.#clock = clock;
    this.#mayLackTls = isLoopbackHost(new URL(oidc.issuer).host);
    this.#keysAt = createProviderKeys(clock);
    this.#redirectUri = `${publicUrl}${callbackPath}`;
  }

  /** Returns where the browser goes, and what it keeps meanwhile. */
  begin(): Promise<SignOnStart> {
    return refusing("begin", () => this.#begin());
  }

  /** Exchanges the address that the browser came back to for who it is. */
  finish(returned: URL, checks: SignOnChecks): Promise<ProvenIdentity> {
    return refusing("callback", () => this.#finish(returned, checks));
  }

  readLogout(token: string): Promise<LogoutClaims> {
    return refusing("logout", () => this.#readLogout(token));
  }

  /** Returns whether the provider accepts the client and its secret; null when its answer does not say. */
  tryClient(): Promise<boolean | null> {
    return refusing("client", () => this.#tryClient());
  }

  /** Returns what the provider says of itself. */
  async metadata(): Promise<ServerMetadata> {
    if (this.#known && this.#isWithin(this.#known.at, metadataForMs)) return this.#known.metadata;
    if (this.#failed && this.#isWithin(this.#failed.at, pauseAfterFailureMs)) {
      if (this.#known) return this.#known.metadata;
      throw this.#failed.refusal;
    }
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = null;
    });
    try {
      return await this.#asking;
    } catch (error) {
      if (this.#known && (error as SignOnRefusal).problem === "unavailable") return this.#known.metadata;
      throw error;
    }
  }

  async #discover(): Promise<ServerMetadata> {
    const client = await loadClient();
    const { issuer, clientId } = this.#oidc;
    try {
      const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
        [client.customFetch]: askProvider as never,
        execute: this.#mayLackTls ? [client.allowInsecureRequests] : [],
      });
      const metadata = found.serverMetadata();
      if (metadata.issuer !== issuer) throw new SignOnRefusal("refused", "discovery: another issuer");
      this.#known = { metadata, at: this.#clock.now() };
      this.#failed = null;
      return metadata;
    } catch (error) {
      const refusal = asRefusal(error, "discovery");
      this.#failed = { refusal, at: this.#clock.now() };
      throw refusal;
    }
  }

  #isWithin(at: number, ms: number): boolean {
    return Math.abs(this.#clock.now() - at) < ms;
  }

  async #configuration(): Promise<Configuration> {
    const client = await loadClient();
    const server = await this.metadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_basic")
      ? client.ClientSecretBasic(this.#oidc.clientSecret)
      : client.ClientSecretPost(this.#oidc.clientSecret);
    const found = new client.Configuration(
      server,
      this.#oidc.clientId,
      {
        [client.clockTolerance]: clockToleranceS,
        [client.clockSkew]: Math.round((this.#clock.now() - Date.now()) / 1_000),
      },
      authentication,
    );
    found[client.customFetch] = askProvider as never;
    if (this.#mayLackTls) client.allowInsecureRequests(found);
    return found;
  }

  /** Checks the signature and the times of a token of the provider. */
  async #verified(token: string, types: readonly (string | undefined)[]): Promise<Claims> {
    const { jwks_uri: address } = await this.metadata();
    if (address === undefined) throw new SignOnRefusal("refused", "discovery: no keys");
    if (!this.#mayLackTls && !address.startsWith("https://"))
      throw new SignOnRefusal("refused", "discovery: keys without TLS");
    const { issuer, clientId } = this.#oidc;
    const now = this.#clock.now();
    const { payload, protectedHeader } = await jwtVerify(token, this.#keysAt(address), {
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
  }

  async #begin(): Promise<SignOnStart> {
    const client = await loadClient();
    const found = await this.#configuration();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const offered: unknown = found.serverMetadata().scopes_supported;
    const named = this.#oidc.allowed.flatMap((entry) => (entry.kind === "claim" ? entry.claim : []));
    const more = named.filter((claim) => Array.isArray(offered) && offered.includes(claim));
    const address = client.buildAuthorizationUrl(found, {
      redirect_uri: this.#redirectUri,
      scope: [...new Set(["openid", "email", "profile", ...more])].join(" "),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
    });
    return { address: address.href, checks };
  }

  /** True if the token lacks a claim that is asked for; the user-info endpoint may know it. */
  #lacks(claims: Claims): boolean {
    return (
      claims["email"] === undefined ||
      claims["email_verified"] === undefined ||
      this.#oidc.allowed.some((entry) => entry.kind === "claim" && claimAt(claims, entry.claim) === undefined)
    );
  }

  async #finish(returned: URL, { state, nonce, verifier }: SignOnChecks): Promise<ProvenIdentity> {
    const client = await loadClient();
    const found = await this.#configuration();
    const tokens = await client.authorizationCodeGrant(found, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = await this.#verified(tokens.id_token ?? "", [undefined, "jwt"]);
    const { sub } = claims;
    if (claims["nonce"] !== nonce) throw new SignOnRefusal("refused", "token: nonce");
    if (typeof sub !== "string" || sub === "" || sub.length > 255)
      throw new SignOnRefusal("refused", "token: sub");
    const asksMore = this.#lacks(claims) && found.serverMetadata().userinfo_endpoint !== undefined;
    const more: Claims = asksMore ? await client.fetchUserInfo(found, tokens.access_token, sub) : {};
    const { sid } = claims;
    return {
      issuer: this.#oidc.issuer,
      subject: sub,
      sid: typeof sid === "string" && sid !== "" && sid.length <= 255 ? sid : null,
      email: verifiedEmail(claims) ?? (claims["email_verified"] === undefined ? verifiedEmail(more) : null),
      isMultiFactor: saysMultiFactor(claims),
      claims: { ...more, ...claims },
    };
  }

  async #readLogout(token: string): Promise<LogoutClaims> {
    const claims = await this.#verified(token, [undefined, "jwt", "logout+jwt"]);
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
      issuer: this.#oidc.issuer,
      subject: sub as string | null,
      sid: sid as string | null,
      id: jti,
      expiresAt: (Number(exp) + clockToleranceS) * 1_000,
    };
  }

  /** A code that nobody has is refused as such only after the client was accepted (RFC 6749, 5.2). */
  async #tryClient(): Promise<boolean | null> {
    const client = await loadClient();
    const found = await this.#configuration();
    try {
      await client.genericGrantRequest(found, "authorization_code", {
        code: client.randomState(),
        redirect_uri: this.#redirectUri,
        code_verifier: client.randomPKCECodeVerifier(),
      });
    } catch (error) {
      const answered = wordsIn(error);
      if (answered.includes("invalid_grant")) return true;
      if (answered.some((word) => clientRefusals.includes(word))) return false;
      if (error instanceof Error && asRefusal(error, "").problem === "unavailable") throw error;
    }
    return null;
  }
}
