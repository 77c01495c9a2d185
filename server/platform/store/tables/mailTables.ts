import type { Generated } from "kysely";
import type { LabelColor } from "../../../../core/labels/labelEndpoints.ts";
import type { MaskFieldName, MaskFieldValue } from "../../../../core/masks/mask.ts";
import type { SenderMode } from "../../../../core/senders/maskSenders.ts";
import type { Flag, Time } from "./accountTables.ts";

/** An address that a user's mail may be forwarded to (D33). */
export interface DestinationsTable {
  id: string;
  user_id: string;
  email: string;
  email_key: string;
  /** null until the link in the confirmation mail is opened. */
  confirmed_at: Time | null;
  token_hash: string | null;
  token_expires_at: Time | null;
  /** When the last confirmation mail was sent; null if none was. */
  asked_at: Time | null;
  created_at: Time;
  /** What the user calls it; may be empty. */
  name: Generated<string>;
  /** Whether new masks forward to it, 1 or 0. Without one they forward to the account's address. */
  is_default: Generated<Flag>;
  /** The key that mail to it is encrypted to, ASCII-armored; null for that of the account. */
  public_key: Generated<string | null>;
  /** Upper-case hexadecimal. */
  fingerprint: Generated<string | null>;
}

type SnakeCase<N extends string> = N extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : N;

/** Booleans are stored as 0 or 1, lists as JSON. */
type Stored<A> = A extends boolean ? Flag : A extends string ? A : string;

/** The columns of the plain fields of a mask: "spam_filter" for `spamFilter`. */
export type MaskFieldColumns = {
  [N in MaskFieldName as SnakeCase<N>]: Stored<MaskFieldValue<N>>;
};

export interface MasksTable extends MaskFieldColumns {
  id: string;
  user_id: string;
  destination_id: string;
  /** The current address; earlier ones stay in `mask_addresses`. */
  email: string;
  /** Whether a smaller plan switched the mask off (D34); a larger plan switches it on again. */
  paused: Generated<Flag>;
  /** When the owner deleted the mask; null while it exists. A deleted mask is not active. */
  deleted_at: Generated<Time | null>;
  /** Whether the mask was active when it was deleted. */
  deleted_active: Generated<Flag>;
  /** Who may write; the senders stand in `mask_senders`. */
  sender_mode: Generated<SenderMode>;
  /** When the mask expires, as JSON; null for never. */
  expiry: Generated<string | null>;
  expires_at: Generated<Time | null>;
  idle_ms: Generated<number | null>;
  /** Mails until the mask expires. */
  mails_left: Generated<number | null>;
  /** When the expiry was set. */
  expiry_from: Generated<Time | null>;
  /** The time of expiry that the owner was warned of; null before. */
  expiry_warned_for: Generated<Time | null>;
  custom_prefix: string | null;
  /** JSON. */
  rules: string;
  /** JSON. */
  metadata: string;
  created_at: Time;
  updated_at: Time;
}

/** A label with a color, or one that no mask has; the labels of a mask stand in its row. */
export interface LabelsTable {
  user_id: string;
  name: string;
  /** The name without case and accents. */
  name_key: string;
  color: LabelColor;
}

/** Every address ever assigned, so that none is assigned twice. */
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
  /** The month ("2026-11", UTC) of the last mail, and the number of mails in it. */
  month: Generated<string>;
  month_received: Generated<number>;
  /** The statistics of the mask's rules as JSON. */
  details: Generated<string>;
}

/** The last automatic answer to a sender, to limit answers (RFC 3834). */
export interface AutomaticAnswersTable {
  user_id: string;
  mask_id: string;
  /** A hash keyed by the mask. */
  sender_hash: string;
  answered_at: Time;
}

/** Mail that counts toward the plan, by month in UTC ("2026-11"). */
export interface MonthlyUsageTable {
  user_id: string;
  month: string;
  received: number;
  forwarded: number;
  blocked: number;
  /** The highest share of the limit that was announced, in percent: 0, 80 or 100. */
  announced: number;
  /** System mail such as codes, which does not count toward the plan (D11). */
  own_mails: Generated<number>;
}

/** What a sender has sent to an account on a day ("2026-11-20", UTC). */
export interface SenderDaysTable {
  user_id: string;
  day: string;
  /** A proven or a claimed domain, or a network. */
  source: string;
  received: number;
  /** The most that it may send on that day. */
  most: number;
}

/** An archived mail. */
export interface ArchivedMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  read: Flag;
  created_at: Time;
  /** The mail is kept at least until then, whatever the plan is; null: as long as the plan keeps history. */
  keep_until: Generated<Time | null>;
}

/** One of the last mails of a mask, which is kept for a day to test rules with. */
export interface LastMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  received_at: Time;
  /** Bytes of the mail as it was received. */
  size: number;
  /** Its first bytes in an OpenPGP message to the key of its owner. */
  content: Uint8Array;
}

/** A mail that waits for the hourly digest. */
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

/** A held mail keeps its content for its owner; see `held_mails`. */
export type QueueStatus = "waiting" | "delivered" | "failed" | "held";

/** A mail in the delivery queue: one row for each recipient, complete as it will be sent. */
export interface QueueTable {
  id: string;
  /** null for system mail such as codes and confirmations. */
  user_id: string | null;
  mask_id: string | null;
  envelope_sender: string;
  recipient: string;
  /** The whole mail when it has no body in `bodies`; null for others, and once it is no longer needed. */
  content: Uint8Array | null;
  body_id: Generated<string | null>;
  /** The part of the body that belongs to this copy only; 0 when the copy is the whole body. */
  body_head: Generated<number>;
  /** Bytes of the copy. */
  size: number;
  status: QueueStatus;
  attempts: number;
  next_attempt_at: Time;
  /** The process that is sending it, while it is in `lease_holders`. */
  lease: string | null;
  /** No longer used: always 0. */
  leased_until: Time;
  /** The next hop's last response, without addresses. */
  last_answer: string | null;
  /** The authenticated sender that a report about a failed delivery may go to; null when there is none. */
  report_to: Generated<string | null>;
  /** When the owner was told that it is not delivered yet; null before. */
  delay_noticed_at: Generated<Time | null>;
  /** The entry of the log that its delivery is added to; null for mail that is not logged. */
  log_id: Generated<string | null>;
  created_at: Time;
  finished_at: Time | null;
}

/** The Message-ID of a mail from a mask, while its row of the queue exists. */
export interface SentMessageIdsTable {
  queue_id: string;
  /** SHA-256. */
  message_hash: string;
  created_at: Time;
}

/**
 * The content of queued mails, written once and never changed. Parts from 0 on are the bytes that an id's
 * copies share, in order; each negative part is the beginning of one copy.
 */
export interface BodiesTable {
  id: string;
  part: number;
  /** null when the content is in the spool: in its segment, or in the file of the same id. */
  content: Uint8Array | null;
  file_key: string | null;
  /** null without one; else the place of the content in it. */
  segment: string | null;
  segment_start: number | null;
  /** Bytes. */
  segment_length: number | null;
  /** Bytes omitted at the beginning of the file. */
  skip: Generated<number>;
}

/** A process that delivers mail. */
export interface LeaseHoldersTable {
  id: string;
  /** Increases while the process runs. */
  beat: number;
  /** The counter as a process saw it last. */
  seen_beat: Generated<number>;
  /** The time of `lease_clock` when it had last changed. */
  seen_at: Generated<number>;
}

/** One row: the time in which processes watch each other. */
export interface LeaseClockTable {
  id: number;
  /** Milliseconds in which a process was seen. */
  elapsed: number;
  /** The clock of the database when it was counted last. */
  read_at: Time;
}

/** Changes of users' data, read by every process with sockets. */
export interface EventsTable {
  id: Generated<number>;
  user_id: string;
  resource: string;
  resource_id: string | null;
  action: string;
  /** The client that got the change in its answer. */
  client_id: string | null;
  created_at: Time;
}

/** The mails of one commit that the counts below do not contain yet. */
export interface NewMailsTable {
  id: Generated<number>;
  at: Time;
  /** JSON, one line for each mail and mask. */
  facts: string;
}

/** How often something happened to a user's mail in a month ("2026-11") or on a day ("2026-11-20"), in UTC. */
export interface AccountCountsTable {
  user_id: string;
  kind: string;
  period: string;
  key: string;
  n: number;
  last_at: Time;
}

/** The counts of one mask. */
export interface MaskCountsTable extends AccountCountsTable {
  mask_id: string;
}

/** One of a user's recent mails, without its content. */
export interface RecentMailsTable {
  id: Generated<number>;
  user_id: string;
  mask_id: string;
  at: Time;
  /** The domain of From; empty if it has none. */
  sender_domain: string;
  /** null unless the owner wants mail classified. */
  category: string | null;
  outcome: string;
  /** Why it was blocked. */
  threat_level: string | null;
  reason: string | null;
}
