import type { Flag, Time } from "../../platform/store/tables.ts";

/** The consent of a user to derive data from the content of their mail; without a row, there is none. */
export interface ContentAccessTable {
  user_id: string;
  enabled: Flag;
  /** The host of the external model that the user agreed to; null if none was offered. */
  external_model: string | null;
  /** JSON: which AI features are on. */
  features: string;
  updated_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    content_access: ContentAccessTable;
  }
}
