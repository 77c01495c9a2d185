/** The mail that a sender has sent to an account on a day ("2026-11-20", UTC). */
export interface SenderDaysTable {
  user_id: string;
  day: string;
  /** A proven or a claimed domain, or a network. */
  source: string;
  received: number;
  /** The most that it may send on that day. */
  most: number;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    sender_days: SenderDaysTable;
  }
}
