import type { LogDirection, LogResult, LogState } from "../../../core/mailLog/logEntry.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** A mail in the log of a user who has switched it on. */
export interface LogEntriesTable {
  /** Begins with the time, so that the order of the ids is that of the mails. */
  id: string;
  user_id: string;
  /** Empty where a mail was refused because it came from none of the user's masks. */
  mask_id: string;
  at: Time;
  direction: LogDirection;
  result: LogResult;
  /** JSON, or where `sealed` is 1 that JSON in an OpenPGP message in base 64; null when it could not be encrypted. */
  detail: string | null;
  sealed: Flag;
}

/** Something that happened to a logged mail, or to one copy of it. */
export interface LogStepsTable {
  entry_id: string;
  /** The id of the copy in the queue; empty for what concerns the mail. */
  copy_id: string;
  state: LogState;
  at: Time;
  times: number;
  /** Like that of the entry; null for a step without detail. */
  detail: string | null;
  sealed: Flag;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    log_entries: LogEntriesTable;
    log_steps: LogStepsTable;
  }
}
