import type { Time } from "../../platform/store/tables.ts";

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

declare module "../../platform/store/tables.ts" {
  interface Tables {
    tls_policies: TlsPoliciesTable;
  }
}
