import type { Generated } from "kysely";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { MaskFieldName, MaskFieldValue } from "../../../core/masks/mask.ts";
import type { SenderMode } from "../../../core/senders/maskSenders.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

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

export interface MasksTable
  extends Omit<MaskFieldColumns, "action_links" | "made_for" | "unsubscribe" | "kept_in_app" | "show_codes"> {
  action_links: Generated<MaskFieldColumns["action_links"]>;
  made_for: Generated<MaskFieldColumns["made_for"]>;
  unsubscribe: Generated<MaskFieldColumns["unsubscribe"]>;
  kept_in_app: Generated<MaskFieldColumns["kept_in_app"]>;
  show_codes: Generated<MaskFieldColumns["show_codes"]>;
  /** The API token that created the mask; null for a session, and for masks of before 0.4.0. */
  made_by_token: Generated<string | null>;
  id: string;
  user_id: string;
  destination_id: string;
  /** The current address; earlier ones stay in `mask_addresses`. */
  email: string;
  /** True if a smaller plan switched the mask off (D34); a larger plan switches it on again. */
  paused: Generated<Flag>;
  /** The time at which the owner deleted the mask; null while it exists. A deleted mask is not active. */
  deleted_at: Generated<Time | null>;
  /** True if the mask was active when it was deleted. */
  deleted_active: Generated<Flag>;
  /** The senders that may write; the lists stand in `mask_senders`. */
  sender_mode: Generated<SenderMode>;
  /** The expiry of the mask, as JSON; null for never. */
  expiry: Generated<string | null>;
  expires_at: Generated<Time | null>;
  idle_ms: Generated<number | null>;
  /** Mails until the mask expires. */
  mails_left: Generated<number | null>;
  /** The time at which the expiry was set. */
  expiry_from: Generated<Time | null>;
  /** The time of expiry that the owner was warned of; null before. */
  expiry_warned_for: Generated<Time | null>;
  custom_prefix: string | null;
  /** The tag of the last mail that had one; null before. */
  extension: Generated<string | null>;
  /** JSON. */
  rules: string;
  /** JSON. */
  metadata: string;
  created_at: Time;
  updated_at: Time;
}

/** Every address ever assigned, so that none is assigned twice. */
export interface MaskAddressesTable {
  email_key: MailboxKey;
  /** null once the mask is deleted. */
  mask_id: string | null;
  created_at: Time;
}

/** An address that was taken from a mask, because the server had neither generated nor offered it. */
export interface RemovedAddressesTable {
  address: string;
  /** null once the account is deleted. */
  user_id: string | null;
  removed_at: Time;
}

/** A confirmed or unconfirmed address that the mail of a mask goes to besides its first destination. */
export interface MaskDestinationsTable {
  mask_id: string;
  destination_id: string;
  user_id: string;
  /** From 0, in the order of the owner. */
  position: number;
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

declare module "../../platform/store/tables.ts" {
  interface Tables {
    masks: MasksTable;
    mask_addresses: MaskAddressesTable;
    mask_destinations: MaskDestinationsTable;
    mask_statistics: MaskStatisticsTable;
    removed_addresses: RemovedAddressesTable;
  }
}
