// Who somebody is: the account, how it is entered, and what it was answered.
import type { Generated } from "kysely";
import type { Flag, Time } from "./columns.ts";

export interface UsersTable {
  id: string;
  email: string;
  /** `mailboxKey` of the address; unique. */
  email_key: string;
  tier: string;
  key_status: string;
  two_factor: Flag;
  /** Moves with the masks, so that the plan's number holds under parallel creation (D34). */
  mask_count: number;
  /** How the payment of the plan stands, in the provider's word; "active" where nobody pays. */
  subscription_status: Generated<string>;
  pays: Generated<Flag>;
  /** When a plan that was cancelled ends. */
  plan_ends_at: Generated<Time | null>;
  /** When another plan took the place of the one before; 0 for never. */
  plan_changed_at: Generated<Time>;
  created_at: Time;
}

/** One row for each address that has asked for a code: the newer code replaces the older. */
export interface LoginCodesTable {
  email_key: string;
  code_hash: string;
  expires_at: Time;
  tries: number;
  used: Flag;
  /** JSON: the times of the mails sent in the last hour. */
  sent_at: string;
}

/** One row for each user who has asked for another address: the newer wish replaces the older. */
export interface AddressChangesTable {
  user_id: string;
  email: string;
  email_key: string;
  code_hash: string;
  expires_at: Time;
  tries: number;
  /** JSON: the times of the mails sent in the last hour. */
  sent_at: string;
}

/** Proof that somebody new owns a mailbox, between the right code and the chosen plan (D36). */
export interface SignUpTicketsTable {
  token_hash: string;
  email: string;
  expires_at: Time;
}

/** A user's authenticator. Until it is verified it protects nothing. */
export interface TwoFactorsTable {
  user_id: string;
  /** The secret, sealed. */
  secret: string;
  verified_at: Time | null;
  /** The step of the last code taken (RFC 6238, 5.2): it only moves up, so no code is taken twice. */
  last_step: number;
  /** Tries by somebody signed in since `tries_from`. */
  tries: number;
  tries_from: Time;
  created_at: Time;
}

/** Keyed hashes of the recovery codes that are still good. */
export interface RecoveryCodesTable {
  user_id: string;
  code_hash: string;
}

/** Proof of the right mailed code, for somebody who owes the second factor. */
export interface SecondFactorTicketsTable {
  token_hash: string;
  user_id: string;
  expires_at: Time;
  tries: number;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  /** Keyed hash of the secret in the httpOnly cookie (D41). */
  secret_hash: string;
  /** The one before it, which stays good for a moment; null before the first refresh. */
  previous_hash: string | null;
  /** When the secret took the place of the one before. */
  rotated_at: Time | null;
  /** Whether the secret has come back from the browser, so that it surely arrived there. */
  secret_seen: Flag;
  user_agent: string;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
}

/** What a named request of a session was answered (D43). */
export interface IdempotentAnswersTable {
  session_id: string;
  /** The client's X-Request-ID. */
  request_id: string;
  user_id: string;
  /** Hash of method, address and body. */
  fingerprint: string;
  status: number;
  /** Sealed: an answer may hold what is shown once and kept nowhere. */
  body: string;
  created_at: Time;
}

/** The key a user's mail is encrypted to. */
export interface PublicKeysTable {
  user_id: string;
  /** ASCII-armoured. */
  public_key: string;
  /** Upper-case hexadecimal. */
  fingerprint: string;
  created_at: Time;
  /** Whether the Web Key Directory has it, 1 or 0. */
  published: Generated<number>;
}
