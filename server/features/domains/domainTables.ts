import type { Generated, Selectable } from "kysely";
import type { CatchAll, Domain } from "../../../core/domains/domain.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** A domain that a user has added; at most one row of a name is proven. */
export interface DomainsTable {
  id: string;
  user_id: string;
  kind: Domain["kind"];
  name: DomainName;
  /** The text that the TXT record of the proof contains. */
  token: string;
  /** null while the domain waits for its proof. */
  proven_at: Time | null;
  /** The time since which the proof of a proven domain is missing; null while it is there. */
  lapsed_at: Time | null;
  checked_at: Time | null;
  /** null when it is no longer checked without being asked. */
  next_check_at: Time | null;
  /** JSON: what DNS answered for the records, by purpose. */
  found: Generated<string>;
  catch_all: Generated<CatchAll>;
  /** JSON. */
  patterns: Generated<string>;
  approve_first: Generated<Flag>;
  /** The destination of new masks; null for the default address. */
  destination_id: Generated<string | null>;
  /** The day ("2026-11-22", UTC) on which mail last made masks, and how many. */
  made_day: Generated<string>;
  made_count: Generated<number>;
  /** PKCS #8 in PEM, encrypted with the key of this installation; null without a key. */
  dkim_private: string | null;
  /** In the format of the p= tag of its DNS record. */
  dkim_public: string | null;
  /** True if the last check found the record of the key. */
  dkim_published: Generated<Flag>;
  created_at: Time;
}

export type DomainRow = Selectable<DomainsTable>;

/** Every sub-domain ever claimed, so that none is given to another account. */
export interface ClaimedSubdomainsTable {
  name: DomainName;
  /** null once the account is deleted. */
  user_id: string | null;
  created_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    domains: DomainsTable;
    claimed_subdomains: ClaimedSubdomainsTable;
  }
}
