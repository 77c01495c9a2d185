import type { Generated } from "kysely";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** An address that a user's mail may be forwarded to (D33). */
export interface DestinationsTable {
  id: string;
  user_id: string;
  email: string;
  email_key: MailboxKey;
  /** null until the link in the confirmation mail is opened. */
  confirmed_at: Time | null;
  token_hash: string | null;
  token_expires_at: Time | null;
  /** The time at which the last confirmation mail was sent; null if none was. */
  asked_at: Time | null;
  created_at: Time;
  /** The name that the user gave it; may be empty. */
  name: Generated<string>;
  /** True if new masks forward to it. Without one they forward to the account's address. */
  is_default: Generated<Flag>;
}

/** A key that mail to a destination is encrypted to, beside its others. */
export interface DestinationKeysTable {
  destination_id: string;
  /** Upper-case hexadecimal. */
  fingerprint: string;
  user_id: string;
  /** ASCII-armored. */
  public_key: string;
  created_at: Time;
  /** The end of the time in which mail can be encrypted to it; null without an end, 0 before that is known. */
  expires_at: Generated<Time | null>;
  /** Of `keyEndNotices`, in days, the last that its owner got; null without one. */
  end_noticed: Generated<number | null>;
}

/** The newest key that came with a mail of the owner from a destination, until they use it. */
export interface OfferedKeysTable {
  destination_id: string;
  user_id: string;
  fingerprint: string;
  /** The key that was found, as JSON. */
  key: string;
  offered_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    destinations: DestinationsTable;
    destination_keys: DestinationKeysTable;
    offered_keys: OfferedKeysTable;
  }
}
