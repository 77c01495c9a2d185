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
  /** True if the Web Key Directory serves the key. */
  published: Generated<number>;
  /** The end of the time in which mail can be encrypted to it; null without an end, 0 before that is known. */
  expires_at: Generated<Time | null>;
  /** Of `keyEndNotices`, in days, the last that its owner got; null without one. */
  end_noticed: Generated<number | null>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    public_keys: PublicKeysTable;
  }
}
