import type { Time } from "../../platform/store/tables.ts";

/** A link to unsubscribe that was used. */
export interface UnsubscribingsTable {
  /** Keyed hash of the link. */
  link_hash: string;
  user_id: string;
  /** "failed" may be tried again. */
  state: "running" | "done" | "failed";
  /** The time at which it was used last. */
  at: Time;
}

/** A mailing list that writes to a mask. */
export interface MailingListsTable {
  mask_id: string;
  /** Keyed hash of mask and sender. */
  id: string;
  user_id: string;
  /** The sender, and the method by which the list is left; encrypted. */
  sealed: string;
  /** The time at which its last mail came. */
  seen_at: Time;
  left_at: Time | null;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    unsubscribings: UnsubscribingsTable;
    mailing_lists: MailingListsTable;
  }
}
