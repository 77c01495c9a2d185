import type { Flag, Time } from "../../platform/store/tables.ts";

/** The counts of events about codes in a period that began with the first of them. */
export interface CodeCountsTable {
  /** Keyed hash of what is counted. */
  key: string;
  kind: "account" | "client" | "all" | "mails" | "passkeys" | "all-passkeys";
  count: number;
  since: Time;
  /** The time at which the next code may be tried; 0 for at once. */
  next_at: Time;
}

/** The sign-in code of a mailbox: a new code replaces the old one. */
export interface LoginCodesTable {
  email_key: string;
  code_hash: string;
  expires_at: Time;
  tries: number;
  used: Flag;
  /** JSON array of the times of the code mails sent in the last hour. */
  sent_at: string;
}

/** Proves that a new user owns a mailbox, from the right code until the plan is chosen (D36). */
export interface SignUpTicketsTable {
  token_hash: string;
  email: string;
  expires_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    code_counts: CodeCountsTable;
    login_codes: LoginCodesTable;
    sign_up_tickets: SignUpTicketsTable;
  }
}
