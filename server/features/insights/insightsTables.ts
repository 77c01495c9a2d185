import type { Generated } from "kysely";
import type { Time } from "../../platform/store/tables.ts";

/** The mails of one commit that the counts below do not contain yet. */
export interface NewMailsTable {
  id: Generated<number>;
  at: Time;
  /** JSON, one line for each mail and mask. */
  facts: string;
}

/** The number of events of a user's mail in a month ("2026-11") or on a day ("2026-11-20"), in UTC. */
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
  /** The reason for which it was blocked. */
  threat_level: string | null;
  reason: string | null;
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

declare module "../../platform/store/tables.ts" {
  interface Tables {
    new_mails: NewMailsTable;
    account_counts: AccountCountsTable;
    mask_counts: MaskCountsTable;
    recent_mails: RecentMailsTable;
    suggestion_marks: SuggestionMarksTable;
  }
}
