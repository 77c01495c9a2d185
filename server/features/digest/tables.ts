import type { Time } from "../../platform/store/tables.ts";

/** A mail that waits for the hourly digest. */
export interface DigestMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  recipient: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  created_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    digest_mails: DigestMailsTable;
  }
}
