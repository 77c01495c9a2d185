import type { Generated } from "kysely";

/** Milliseconds since 1970-01-01T00:00:00Z. */
type Time = number;
/** 0 or 1: both databases store it the same way. */
type Flag = number;

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

/** Where a user's mail may go (D33). */
export interface DestinationsTable {
  id: string;
  user_id: string;
  email: string;
  email_key: string;
  /** null while the link in the confirmation mail has not been opened. */
  confirmed_at: Time | null;
  token_hash: string | null;
  token_expires_at: Time | null;
  /** When the last confirmation mail went out; null if none did. */
  asked_at: Time | null;
  created_at: Time;
}

export interface MasksTable {
  id: string;
  user_id: string;
  destination_id: string;
  /** The address shown; older ones of the same mask stay in `mask_addresses`. */
  email: string;
  description: string;
  active: Flag;
  custom_prefix: string | null;
  spam_filter: Flag;
  /** JSON. */
  rules: string;
  /** JSON. */
  metadata: string;
  created_at: Time;
  updated_at: Time;
}

/** A list of rules as a mask once had it. */
export interface RuleVersionsTable {
  mask_id: string;
  /** Hash of the list. */
  version: string;
  /** JSON. */
  rules: string;
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
}

/** Every address ever given out, so that none is given to a second person. */
export interface MaskAddressesTable {
  email_key: string;
  /** null once the mask is deleted. */
  mask_id: string | null;
  created_at: Time;
}

export interface MaskStatisticsTable {
  mask_id: string;
  user_id: string;
  total_received: number;
  total_forwarded: number;
  spam_blocked: number;
  total_sent: number;
  last_used_at: Time | null;
  /** The month of its last mail ("2026-11", UTC), and how many came in it. */
  month: Generated<string>;
  month_received: Generated<number>;
  /** JSON: what rules did. */
  details: Generated<string>;
}

/** Who was answered by a rule, so that nobody is answered again too soon (RFC 3834). */
export interface AutomaticAnswersTable {
  user_id: string;
  mask_id: string;
  /** Keyed by the mask. */
  sender_hash: string;
  answered_at: Time;
}

/** A mail kept here instead of sent on. */
export interface ArchivedMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  read: Flag;
  created_at: Time;
}

/** A mail that waits for the hourly one. */
export interface DigestMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  recipient: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  created_at: Time;
}

/** Mail that counted against the plan, by calendar month in UTC ("2026-11"). */
export interface MonthlyUsageTable {
  user_id: string;
  month: string;
  received: number;
  forwarded: number;
  blocked: number;
  /** The highest share of the limit that was announced, in percent: 0, 80 or 100. */
  announced: number;
}

export type QueueStatus = "waiting" | "delivered" | "failed";

/** A mail on its way out: one row for each destination, complete as it will be sent. */
export interface QueueTable {
  id: string;
  /** null for mail of our own: codes, confirmations. */
  user_id: string | null;
  mask_id: string | null;
  envelope_sender: string;
  recipient: string;
  /** null once nothing needs it any more. */
  content: Uint8Array | null;
  size: number;
  status: QueueStatus;
  attempts: number;
  next_attempt_at: Time;
  /** Who is sending it now, until when. */
  lease: string | null;
  leased_until: Time;
  /** The next hop's last answer, without addresses. */
  last_answer: string | null;
  created_at: Time;
  finished_at: Time | null;
}

export interface NotificationsTable {
  id: Generated<number>;
  user_id: string;
  type: string;
  priority: string;
  message: string;
  created_at: Time;
  read_at: Time | null;
}

/** What has changed for whom: read by every process that holds sockets. */
export interface EventsTable {
  id: Generated<number>;
  user_id: string;
  resource: string;
  resource_id: string | null;
  action: string;
  created_at: Time;
}

export interface Tables {
  users: UsersTable;
  login_codes: LoginCodesTable;
  sign_up_tickets: SignUpTicketsTable;
  two_factors: TwoFactorsTable;
  recovery_codes: RecoveryCodesTable;
  second_factor_tickets: SecondFactorTicketsTable;
  sessions: SessionsTable;
  idempotent_answers: IdempotentAnswersTable;
  destinations: DestinationsTable;
  masks: MasksTable;
  mask_addresses: MaskAddressesTable;
  public_keys: PublicKeysTable;
  rule_versions: RuleVersionsTable;
  mask_statistics: MaskStatisticsTable;
  automatic_answers: AutomaticAnswersTable;
  archived_mails: ArchivedMailsTable;
  digest_mails: DigestMailsTable;
  monthly_usage: MonthlyUsageTable;
  queue: QueueTable;
  notifications: NotificationsTable;
  events: EventsTable;
}
