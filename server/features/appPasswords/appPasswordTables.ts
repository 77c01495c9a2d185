import type { Time } from "../../platform/store/tables.ts";

/** A password for one mail program of a user, which may send from the user's masks. */
export interface AppPasswordsTable {
  id: string;
  user_id: string;
  name: string;
  /** The beginning of the password, which finds the row; unique. */
  lookup: string;
  /** scrypt of the rest of the password. */
  hash: string;
  created_at: Time;
  /** To within an hour; null before the first use. */
  last_used_at: Time | null;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    app_passwords: AppPasswordsTable;
  }
}
