import type { Time } from "../../platform/store/tables.ts";

/** A mail of a mailbox that need not be fetched again, as long as the mailbox itself does not say so. */
export interface MailboxMailsTable {
  /** User, host and folder. */
  mailbox: string;
  uid_validity: number;
  uid: number;
  /** "taken" is committed and waits to be removed; "left" stays where it is, in a mailbox that remembers no marks. */
  state: "taken" | "left";
  recorded_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    mailbox_mails: MailboxMailsTable;
  }
}
