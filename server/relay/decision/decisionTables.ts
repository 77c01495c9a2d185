import type { Time } from "../../platform/store/tables.ts";

/** The last automatic answer to a sender, to limit answers (RFC 3834). */
export interface AutomaticAnswersTable {
  user_id: string;
  mask_id: string;
  /** A hash keyed by the mask. */
  sender_hash: string;
  answered_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    automatic_answers: AutomaticAnswersTable;
  }
}
