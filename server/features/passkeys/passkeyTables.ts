import type { Flag, Time } from "../../platform/store/tables.ts";

/** A public key of a user, whose private half an authenticator keeps. */
export interface PasskeysTable {
  id: string;
  user_id: string;
  /** The id that the authenticator knows it by, in base64url; unique. */
  credential_id: string;
  /** In COSE, as base64url. */
  public_key: string;
  /** The number of its uses, as the authenticator says; it only increases, or stays 0 where nobody counts. */
  counter: number;
  /** True if it has ever verified who holds it; from then on it always has to. */
  verifies: Flag;
  /** The means by which browsers reach its authenticator, as JSON. */
  transports: string;
  name: string;
  /** True if its provider may copy it to other devices. */
  synced: Flag;
  /** True if it was copied at its last use. */
  backed_up: Flag;
  /** The model of the authenticator; zeros where it does not tell. */
  aaguid: string;
  created_at: Time;
  last_used_at: Time | null;
}

/** A private key that is locked with a secret of a passkey, which the server never sees. */
export interface KeyBackupsTable {
  passkey_id: string;
  user_id: string;
  /** Of the key, in upper-case hexadecimal. */
  fingerprint: string;
  /** ASCII-armored. */
  backup: string;
  created_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    passkeys: PasskeysTable;
    key_backups: KeyBackupsTable;
  }
}
