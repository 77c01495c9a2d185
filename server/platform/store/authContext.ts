import type { ApiScope } from "../../../core/api/apiScope.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";

/** A user and one of their sessions. */
export interface SessionContext {
  readonly userId: string;
  readonly sessionId: string;
}

/** The permissions of an API token. */
export interface TokenGrant {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  /** The only domain at which it makes masks; null for every domain of its user. */
  readonly domain: DomainName | null;
  /** The time at which it ends, in ms since 1970; null for one that does not. */
  readonly expiresAt: number | null;
}

/** A valid API token and its user. */
export interface TokenCaller {
  readonly userId: string;
  readonly token: TokenGrant;
}

/**
 * Returns the caller of a presented API token and records its use from a client's address. Rejects with
 * "unauthenticated" for one that is mistyped, unknown, over or revoked, or whose user is suspended.
 */
export type FindTokenCaller = (presented: string, address: string) => Promise<TokenCaller>;

/** The user of an authenticated request, and its session or API token. */
export interface AuthContext {
  readonly userId: string;
  /** The id of the session or of the API token. */
  readonly callerId: string;
  /** The API token; null for a session. */
  readonly token: TokenGrant | null;
  /** Identifies one run of the app, such as a tab; null when the client sent none. */
  readonly clientId: string | null;
}
