import type { Generated } from "kysely";
import type { Time } from "./accountTables.ts";

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

/** The address of a correspondent at a mask, which directs the owner's reply through the mask. */
export interface ReverseAddressesTable {
  /** Keyed hash of the local part. */
  token_hash: string;
  user_id: string;
  mask_id: string;
  /** Keyed hash of the mask and the correspondent's address. */
  correspondent_hash: string;
  /** JSON of local part, name and address of the correspondent, encrypted with the installation's key. */
  sealed: string;
  created_at: Time;
  /** The day of the correspondent's last mail; null without one. */
  last_in_at: Time | null;
  last_out_at: Time | null;
  replies: number;
  /** 1 when only links in headers have led to the correspondent. */
  is_link: Generated<number>;
  /** 1 when the owner has made it, so that it does not expire. */
  is_opened: Generated<number>;
}

/** How many replies a user has sent on a day ("2026-11-22", UTC). */
export interface DailyRepliesTable {
  user_id: string;
  day: string;
  sent: number;
  /** How many could not be delivered on that day. */
  failed: Generated<number>;
}

/** The policy of a domain for the TLS of its mail servers (MTA-STS, RFC 8461), as long as it is valid. */
export interface TlsPoliciesTable {
  /** In lower case and ASCII. */
  domain: string;
  /** The id of its TXT record when it was fetched. */
  policy_id: string;
  /** "enforce", "testing" or "none". */
  mode: string;
  /** JSON: patterns of names of its mail servers. */
  servers: string;
  fetched_at: Time;
  expires_at: Time;
}
