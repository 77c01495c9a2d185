import type { Time } from "../../platform/store/tables.ts";

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

declare module "../../platform/store/tables.ts" {
  interface Tables {
    last_mails: LastMailsTable;
  }
}
