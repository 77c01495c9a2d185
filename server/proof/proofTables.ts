import type { Time } from "../platform/store/tables.ts";

/** A key that signs outgoing mail (DKIM, ARC). */
export interface DkimKeysTable {
  selector: string;
  /** In the format of the a= tag of a signature. */
  algorithm: string;
  /** "next", "active" or "retired". */
  state: string;
  /** PKCS #8 in PEM, encrypted with the key of this installation. */
  private_key: string;
  /** In the format of the p= tag of its DNS record. */
  public_key: string;
  created_at: Time;
  active_from: Time | null;
  retired_at: Time | null;
}

declare module "../platform/store/tables.ts" {
  interface Tables {
    dkim_keys: DkimKeysTable;
  }
}
