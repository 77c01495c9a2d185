import type { Generated } from "kysely";
import type { Flag, Time } from "../../platform/store/tables.ts";

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
  /** The time at which it is deleted, whatever the plan is; null for as long as the plan keeps history. */
  expires_at: Generated<Time | null>;
  /** The network that sent it; null where it is not limited. */
  network: Generated<string | null>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    archived_mails: ArchivedMailsTable;
  }
}
