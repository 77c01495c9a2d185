import type { Generated } from "kysely";
import type { Time } from "../../platform/store/tables.ts";

/** The address of a correspondent at a mask, which directs the owner's reply through the mask. */
export interface ReverseAddressesTable {
  /** Keyed hash of the local part. */
  token_hash: string;
  user_id: string;
  mask_id: string;
  /** Keyed hash of the mask and the correspondent's address. */
  correspondent_hash: string;
  /** JSON of local part, name and address of the correspondent, encrypted with the installation's key. */
  sealed: string;
  created_at: Time;
  /** The day of the correspondent's last mail; null without one. */
  last_in_at: Time | null;
  last_out_at: Time | null;
  replies: number;
  /** 1 when only links in headers have led to the correspondent. */
  is_link: Generated<number>;
  /** 1 when the owner has made it, so that it does not expire. */
  is_opened: Generated<number>;
}

/** The number of replies that a user has sent on a day ("2026-11-22", UTC). */
export interface DailyRepliesTable {
  user_id: string;
  day: string;
  sent: number;
  /** The number of them that could not be delivered on that day. */
  failed: Generated<number>;
}

/** A description of a mask that forwarded mail has shown beside names of senders, in the form that it was shown in. */
export interface ShownDescriptionsTable {
  mask_id: string;
  user_id: string;
  description: string;
  first_shown_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    reverse_addresses: ReverseAddressesTable;
    daily_replies: DailyRepliesTable;
    shown_descriptions: ShownDescriptionsTable;
  }
}
