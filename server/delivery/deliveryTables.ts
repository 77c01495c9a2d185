import type { Generated } from "kysely";

/** Mail that counts toward the plan, by month in UTC ("2026-11"). */
export interface MonthlyUsageTable {
  user_id: string;
  month: string;
  received: number;
  forwarded: number;
  blocked: number;
  /** The highest share of the limit that was announced, in percent: 0, 80 or 100. */
  announced: number;
  /** System mail such as codes, which does not count toward the plan (D11). */
  own_mails: Generated<number>;
}

declare module "../platform/store/tables.ts" {
  interface Tables {
    monthly_usage: MonthlyUsageTable;
  }
}
