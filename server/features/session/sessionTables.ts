import type { Generated } from "kysely";
import type { SignInWay } from "../../../core/session/signInWay.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

export interface SessionsTable {
  id: string;
  user_id: string;
  /** Keyed hash of the secret in the httpOnly cookie (D41). */
  secret_hash: string;
  /** Hash of the previous secret, which stays valid for a short time; null before the first refresh. */
  previous_hash: string | null;
  /** The time at which the current secret replaced the previous one. */
  rotated_at: Time | null;
  /** True once the browser has sent the current secret back, which proves that it arrived. */
  secret_seen: Flag;
  user_agent: string;
  /** The method by which it began. */
  way: Generated<SignInWay>;
  /** The passkey that it was opened with, and ends with; null for others. */
  passkey_id: Generated<string | null>;
  /** The time at which its user has last confirmed that it is them; null before the first time after the sign-in. */
  proven_at: Generated<Time | null>;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
}

/** An invitation to create an account; it works once. */
export interface InvitationsTable {
  token_hash: string;
  created_at: Time;
  expires_at: Time;
}

/** A user's authenticator, used once it is verified. */
export interface TwoFactorsTable {
  user_id: string;
  /** The TOTP secret, encrypted. */
  secret: string;
  verified_at: Time | null;
  /** The time step of the last accepted code (RFC 6238, 5.2); it only increases, so no code is accepted twice. */
  last_step: number;
  /** Attempts by signed-in sessions since `tries_from`. */
  tries: number;
  tries_from: Time;
  created_at: Time;
}

/** Keyed hashes of the recovery codes that are still unused. */
export interface RecoveryCodesTable {
  user_id: string;
  code_hash: string;
}

/** Proves that a user entered the mailed code, or has a passkey, and must still enter the second factor. */
export interface SecondFactorTicketsTable {
  token_hash: string;
  user_id: string;
  /** The passkey of the first step; null for others. */
  passkey_id: Generated<string | null>;
  /** True if only a recovery code is taken, because the account logs in with passkeys only. */
  recovery_only: Generated<Flag>;
  expires_at: Time;
  tries: number;
  /** The method by which the sign-in began. */
  way: Generated<SignInWay>;
}

/** An identity at a provider (OIDC) that a user signs in with, found by issuer and subject alone. */
export interface IdentitiesTable {
  id: string;
  issuer: string;
  subject: string;
  user_id: string;
  /** The address that the provider named last; shown only. */
  email: string;
  created_at: Time;
  last_used_at: Time;
}

/** The identity that a session was begun with; the provider ends it by subject or by its own session. */
export interface IdentitySessionsTable {
  session_id: string;
  issuer: string;
  subject: string;
  sid: string | null;
}

/** Proves to the page that its browser comes from the provider; works once. */
export interface SignOnTicketsTable {
  token_hash: string;
  issuer: string;
  subject: string;
  sid: string | null;
  /** The address that the provider has verified. */
  email: string | null;
  is_multi_factor: Flag;
  /** True if OIDC_ALLOW names the identity, which may then sign up. */
  is_admitted: Flag;
  expires_at: Time;
}

/**
 * Logout tokens of the provider that were used, until they expire, and what they ended, until every sign-in that was under way
 * then has expired.
 */
export interface UsedLogoutTokensTable {
  token_hash: string;
  expires_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    sessions: SessionsTable;
    invitations: InvitationsTable;
    two_factors: TwoFactorsTable;
    recovery_codes: RecoveryCodesTable;
    second_factor_tickets: SecondFactorTicketsTable;
    identities: IdentitiesTable;
    identity_sessions: IdentitySessionsTable;
    sign_on_tickets: SignOnTicketsTable;
    used_logout_tokens: UsedLogoutTokensTable;
  }
}
