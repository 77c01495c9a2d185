import type { Time } from "../../platform/store/tables.ts";

/** A mail that its recipient called spam at the mail provider; kept for 60 days. */
export interface ComplaintsTable {
  queue_id: string;
  user_id: string;
  mask_id: string;
  /** The type of the report, such as "abuse". */
  type: string;
  created_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    complaints: ComplaintsTable;
  }
}
