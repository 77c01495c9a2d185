import type { Flag, Time } from "../../platform/store/tables.ts";
import type { DmarcRow } from "./received/receiverReport.ts";

/** A report of a receiver, kept for 60 days. */
export interface ReceiverReportsTable {
  id: string;
  kind: "dmarc" | "tls";
  /** The name that the reporter gives itself. */
  reporter: string;
  /** The domain in From of the mail that brought it; empty where there is none. */
  author_domain: string;
  /** True if that mail passed DMARC. */
  is_proven: Flag;
  report_id: string;
  domain: string;
  begins_at: Time;
  ends_at: Time;
  row_count: number;
  received_at: Time;
}

/** Mails in the name of a domain, from one address and with the same result. */
export interface DmarcReportRowsTable {
  report_id: string;
  /** Empty for the rest of a long report. */
  source_ip: string;
  disposition: DmarcRow["disposition"];
  dkim: DmarcRow["dkim"];
  spf: DmarcRow["spf"];
  reason: string;
  count: number;
}

/** Connections to a domain with the same result. */
export interface TlsReportRowsTable {
  report_id: string;
  policy_type: string;
  result: string;
  server: string;
  count: number;
}

/** A mail that its recipient called spam at the mail provider; kept for 60 days. */
export interface ComplaintsTable {
  queue_id: string;
  user_id: string;
  mask_id: string;
  /** The type of the report, such as "abuse". */
  type: string;
  created_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    receiver_reports: ReceiverReportsTable;
    dmarc_report_rows: DmarcReportRowsTable;
    tls_report_rows: TlsReportRowsTable;
    complaints: ComplaintsTable;
  }
}
