import type { Generated } from "kysely";
import type { Time } from "../../platform/store/tables.ts";

/** The key that a user's mail is encrypted to. */
export interface PublicKeysTable {
  user_id: string;
  /** ASCII-armored. */
  public_key: string;
  /** Upper-case hexadecimal. */
  fingerprint: string;
  created_at: Time;
  /** Whether the Web Key Directory serves the key, 1 or 0. */
  published: Generated<number>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    public_keys: PublicKeysTable;
  }
}
