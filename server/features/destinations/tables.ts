import type { Generated } from "kysely";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** An address that a user's mail may be forwarded to (D33). */
export interface DestinationsTable {
  id: string;
  user_id: string;
  email: string;
  email_key: string;
  /** null until the link in the confirmation mail is opened. */
  confirmed_at: Time | null;
  token_hash: string | null;
  token_expires_at: Time | null;
  /** When the last confirmation mail was sent; null if none was. */
  asked_at: Time | null;
  created_at: Time;
  /** What the user calls it; may be empty. */
  name: Generated<string>;
  /** Whether new masks forward to it, 1 or 0. Without one they forward to the account's address. */
  is_default: Generated<Flag>;
  /** The key that mail to it is encrypted to, ASCII-armored; null for that of the account. */
  public_key: Generated<string | null>;
  /** Upper-case hexadecimal. */
  fingerprint: Generated<string | null>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    destinations: DestinationsTable;
  }
}
