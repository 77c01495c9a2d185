import type { Generated } from "kysely";
import type { SenderShown } from "../../../../core/mail/forwardedFrom.ts";
import type { LogMode } from "../../../../core/mailLog/logEntry.ts";

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Time = number;
/** 0 or 1, because both databases store that the same way. */
export type Flag = number;

export interface UsersTable {
  id: string;
  email: string;
  /** The address as written by `mailboxKey`; unique. */
  email_key: string;
  tier: string;
  key_status: string;
  two_factor: Flag;
  /** Changes with the creation or deletion of a mask, so that parallel requests cannot exceed the plan (D34). */
  mask_count: number;
  /** The payment provider's status of the subscription; "active" for users who do not pay. */
  subscription_status: Generated<string>;
  pays: Generated<Flag>;
  /** When a canceled plan ends; null for a plan that renews. */
  plan_ends_at: Generated<Time | null>;
  /** When the user changed to the current plan; 0 if never. */
  plan_changed_at: Generated<Time>;
  /** The tier that the operator assigned; null for the default tier. */
  assigned_tier: Generated<string | null>;
  /** A suspended account can neither sign in nor receive mail. */
  suspended: Generated<Flag>;
  sender_shown: Generated<SenderShown>;
  /** A `MaskFormat` as JSON; null while none is chosen. */
  mask_format: Generated<string | null>;
  /** Whether the user gets a mail about newly held mail, once a day at most. */
  held_notices: Generated<Flag>;
  held_noticed_at: Generated<Time | null>;
  /** What the log of the user's mail keeps of senders; "off" without a log. */
  mail_log: Generated<LogMode>;
  /** Whether the last mails of the user's masks are kept for a day to test rules with. */
  keep_last_mails: Generated<Flag>;
  /** Until when replies are refused because too many failed; null if never. */
  replies_paused_until: Generated<Time | null>;
  /** Whether the account may open the operator's page. */
  is_operator: Generated<Flag>;
  created_at: Time;
}

/** The sign-in code of a mailbox: a new code replaces the old one. */
export interface LoginCodesTable {
  email_key: string;
  code_hash: string;
  expires_at: Time;
  tries: number;
  used: Flag;
  /** JSON array of the times of the code mails sent in the last hour. */
  sent_at: string;
}

/** How often something about codes happened in a period that began with the first time. */
export interface CodeCountsTable {
  /** Keyed hash of what is counted. */
  key: string;
  kind: "account" | "client" | "all" | "mails";
  count: number;
  since: Time;
  /** When the next code may be tried; 0 for at once. */
  next_at: Time;
}

/** A user's requested change of address: a new request replaces the old one. */
export interface AddressChangesTable {
  user_id: string;
  email: string;
  email_key: string;
  code_hash: string;
  expires_at: Time;
  tries: number;
  /** JSON array of the times of the code mails sent in the last hour. */
  sent_at: string;
}

/** Proves that a new user owns a mailbox, from the right code until the plan is chosen (D36). */
export interface SignUpTicketsTable {
  token_hash: string;
  email: string;
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

/** Proves that a user entered the mailed code and must still enter the second factor. */
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
  /** Hash of the previous secret, which stays valid for a short time; null before the first refresh. */
  previous_hash: string | null;
  /** When the current secret replaced the previous one. */
  rotated_at: Time | null;
  /** Whether the browser has sent the current secret back, which proves that it arrived. */
  secret_seen: Flag;
  user_agent: string;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
}

/** The response to a request with an X-Request-ID (D43), which answers repetitions of that request. */
export interface IdempotentAnswersTable {
  session_id: string;
  /** The client's X-Request-ID. */
  request_id: string;
  user_id: string;
  /** Hash of method, path and body. */
  fingerprint: string;
  status: number;
  /** Encrypted, because a response may contain a secret that is shown only once. */
  body: string;
  created_at: Time;
}

/** The key that a user's mail is encrypted to. */
export interface PublicKeysTable {
  user_id: string;
  /** ASCII-armored. */
  public_key: string;
  /** Upper-case hexadecimal. */
  fingerprint: string;
  created_at: Time;
  /** Whether the Web Key Directory serves the key, 1 or 0. */
  published: Generated<number>;
}

/** A mailbox at the payment provider: of a user, or of someone who pays before signing up (D36). */
export interface BillingCustomersTable {
  id: string;
  email_key: string;
  /** null before the account exists. */
  user_id: string | null;
  /** null until the provider has assigned it. */
  customer_id: string | null;
  /** The subscription that is paid or awaits payment; null if there is none. */
  subscription_id: string | null;
  /** The paid tier; null if none is paid. */
  tier: string | null;
  /** The provider's status of the subscription. */
  status: string;
  /** When the paid plan ends, after a cancellation. */
  ends_at: Time | null;
  /** The number of requests about this customer to the provider. */
  asked: number;
  /** The number of the request whose answer is stored. */
  known: number;
  created_at: Time;
}

/** Events of the provider that have been processed. */
export interface BillingEventsTable {
  event_id: string;
  created_at: Time;
}

/** Customers without an account, whose payments must be canceled at the provider. */
export interface BillingCancellationsTable {
  customer_id: string;
  tries: number;
  next_at: Time;
}

/** A password for one mail program of a user, which may send from the user's masks. */
export interface AppPasswordsTable {
  id: string;
  user_id: string;
  name: string;
  /** The beginning of the password, which finds the row; unique. */
  lookup: string;
  /** scrypt of the rest of the password. */
  hash: string;
  created_at: Time;
  /** To within an hour; null before the first use. */
  last_used_at: Time | null;
}

/** What a user allows to derive from the content of their mail; without a row, nothing. */
export interface ContentAccessTable {
  user_id: string;
  enabled: Flag;
  /** The host of the external model that the user agreed to; null if none was offered. */
  external_model: string | null;
  /** JSON: which AI features are on. */
  features: string;
  updated_at: Time;
}

/** A suggestion that the user applied or dismissed. */
export interface SuggestionMarksTable {
  user_id: string;
  action_key: string;
  /** 1: applied, 2: dismissed. */
  status: number;
  /** The suggestion at that time as JSON. */
  suggestion: string;
  marked_at: Time;
}
