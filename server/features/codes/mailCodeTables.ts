import type { Flag, Time } from "../../platform/store/tables.ts";

/** A one-time code that a mail brought, for some minutes. */
export interface MailCodesTable {
  id: string;
  user_id: string;
  mask_id: string;
  received_at: Time;
  expires_at: Time;
  /** The code, its link and its sender: in an OpenPGP message in base 64, or sealed with the key of the installation. */
  content: string;
  /** True if the content is encrypted to the key of its owner. */
  to_key: Flag;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    mail_codes: MailCodesTable;
  }
}
