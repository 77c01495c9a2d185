import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Time } from "../../platform/store/tables.ts";

/** A user's requested change of address: a new request replaces the old one. */
export interface AddressChangesTable {
  user_id: string;
  email: string;
  email_key: MailboxKey;
  code_hash: string;
  expires_at: Time;
  tries: number;
  /** JSON array of the times of the code mails sent in the last hour. */
  sent_at: string;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    address_changes: AddressChangesTable;
  }
}
