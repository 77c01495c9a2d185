import type { Generated } from "kysely";
import type { Time } from "../../platform/store/tables.ts";

/** A mail that waits for the digest of its hour, or of its day. */
export interface DigestMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  recipient: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  /** True if it waits for the daily digest. */
  daily: Generated<number>;
  created_at: Time;
  /** The network that sent it; null where it is not limited. */
  network: Generated<string | null>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    digest_mails: DigestMailsTable;
  }
}
