import type { Generated } from "kysely";
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

/** The rate of mail to a large provider, and its last answer against this server. */
export interface ProviderLimitsTable {
  /** The id in the table of providers. */
  provider: string;
  /** Mails an hour on the day of `rated_at`; doubled with each day since. Null without a limit. */
  per_hour: number | null;
  /** Null until the provider has taken the first mail. */
  rated_at: Generated<Time | null>;
  /** The time at which the mails that were sent would all have been sent, one after the other at this rate. */
  paid_until: Time;
  paused_until: Time;
  /** Pauses since it last took a mail. */
  pauses: number;
  accepted_at: Generated<Time | null>;
  /** Without addresses. */
  answer: Generated<string | null>;
  reason: Generated<string | null>;
  answered_at: Generated<Time | null>;
}

/** The counts of one day for a TLS report to a domain, until it is sent; empty unless `TLS_REPORTS` is on. */
export interface TlsReportCountsTable {
  /** In UTC: "2026-11-20". */
  day: string;
  domain: string;
  policy: string;
  result: string;
  server: string;
  count: number;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    tls_policies: TlsPoliciesTable;
    provider_limits: ProviderLimitsTable;
    tls_report_counts: TlsReportCountsTable;
  }
}
