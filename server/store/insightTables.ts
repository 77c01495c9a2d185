// What insights are made of.
import type { Generated } from "kysely";
import type { Flag, Time } from "./columns.ts";

/** How often something happened to a user's mail in a month ("2026-11") or on a day ("2026-11-20"), in UTC. */
export interface AccountCountsTable {
  user_id: string;
  kind: string;
  period: string;
  key: string;
  n: number;
  last_at: Time;
}

/** The same of one mask. */
export interface MaskCountsTable extends AccountCountsTable {
  mask_id: string;
}

/** One of a user's newest mails, without anything that was written in it. */
export interface RecentMailsTable {
  id: Generated<number>;
  user_id: string;
  mask_id: string;
  at: Time;
  /** Of From; empty where it has none. */
  sender_domain: string;
  /** null while its owner wants no mail classified. */
  category: string | null;
  outcome: string;
  /** Why it was stopped. */
  threat_level: string | null;
  reason: string | null;
}

/** What a user allows to be derived from the content of their mail; without a row nothing. */
export interface ContentAccessTable {
  user_id: string;
  enabled: Flag;
  /** The host that may be asked besides, as it was named when the user agreed; null: none was. */
  external_model: string | null;
  /** JSON: which AI features are on. */
  features: string;
  updated_at: Time;
}

/** What became of a suggestion. */
export interface SuggestionMarksTable {
  user_id: string;
  action_key: string;
  /** 1: applied, 2: dismissed. */
  status: number;
  /** JSON: as it was when it was marked. */
  suggestion: string;
  marked_at: Time;
}
