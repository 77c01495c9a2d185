import { shownText } from "./shownText.ts";

/** The head of a report by a receiver's server, about mail in the name of a domain (DMARC), or connections to it (TLS). */
interface ReportHead {
  /** The name that the reporter gives itself, without addresses. */
  readonly reporter: string;
  readonly reportId: string;
  /** In lower case. */
  readonly domain: string;
  /** Milliseconds since 1970. */
  readonly beginsAt: number;
  readonly endsAt: number;
}

/** Mails from one address with the same result. */
export interface DmarcRow {
  /** Empty for the rest of a long report. */
  readonly sourceIp: string;
  readonly disposition: "none" | "quarantine" | "reject";
  /** The results of DKIM, and of SPF, for a domain aligned with From. */
  readonly dkim: "pass" | "fail";
  readonly spf: "pass" | "fail";
  /** The reason for which the receiver did not do what the policy says, such as "forwarded"; empty without. */
  readonly reason: string;
  readonly count: number;
}

/** Connections with the same result. */
export interface TlsRow {
  /** "sts", "tlsa" or "no-policy-found". */
  readonly policyType: string;
  /** "success", or a result of RFC 8460, 4.3. */
  readonly result: string;
  /** The mail server that was tried; empty when the report does not say. */
  readonly server: string;
  readonly count: number;
}

export interface DmarcReport extends ReportHead {
  readonly kind: "dmarc";
  readonly rows: readonly DmarcRow[];
}

export interface TlsReport extends ReportHead {
  readonly kind: "tls";
  readonly rows: readonly TlsRow[];
}

export type ReceiverReport = DmarcReport | TlsReport;

/** Rows of one report that are stored; the others are added up. */
export const maxStoredRows = 500;
const maxCount = 1_000_000_000;

/** Returns the name of a reporter: its own, without one the host of its address. */
export const reporterOf = (name: string, address: string): string =>
  shownText(name, 80) ||
  (/@([a-z0-9.-]{1,80})/i.exec(address.slice(0, 320))?.[1] ?? "").toLowerCase() ||
  "unknown";

/** Reads a count of a report; 0 for what is none. */
export const countOf = (value: unknown): number => {
  const number =
    typeof value === "number" ? value : Number(typeof value === "string" ? value.trim() : Number.NaN);
  return Number.isFinite(number) && number > 0 ? Math.min(Math.floor(number), maxCount) : 0;
};

/** Adds up rows that are the same in all but their counts. */
export const addUp = <Row extends { readonly count: number }>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
): readonly Row[] => {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = sums.get(key);
    sums.set(key, known ? { ...known, count: Math.min(known.count + row.count, maxCount) } : row);
  }
  return [...sums.values()].toSorted((a, b) => b.count - a.count);
};
