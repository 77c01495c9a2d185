import type { Time } from "./accountTables.ts";

/** A key that signs outgoing mail (DKIM, ARC). */
export interface DkimKeysTable {
  selector: string;
  /** As the a= tag of a signature. */
  algorithm: string;
  /** "next", "active" or "retired". */
  state: string;
  /** PKCS #8 in PEM, encrypted with the key of this installation. */
  private_key: string;
  /** As the p= tag of its DNS record. */
  public_key: string;
  created_at: Time;
  active_from: Time | null;
  retired_at: Time | null;
}
