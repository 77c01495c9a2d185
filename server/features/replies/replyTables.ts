import type { Time } from "../../platform/store/tables.ts";

/** The Message-ID of a mail from a mask, while its row of the queue exists. */
export interface SentMessageIdsTable {
  queue_id: string;
  /** SHA-256. */
  message_hash: string;
  created_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    sent_message_ids: SentMessageIdsTable;
  }
}
