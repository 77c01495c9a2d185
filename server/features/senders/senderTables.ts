import type { Generated } from "kysely";
import type { SenderList } from "../../../core/senders/maskSenders.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** A sender that a mask always accepts or refuses. */
export interface MaskSendersTable {
  mask_id: string;
  /** Keyed hash of the mask and the sender, an address or a domain. */
  sender_hash: string;
  user_id: string;
  list: SenderList;
  /** The sender, encrypted with the installation's key. */
  sealed: string;
  created_at: Time;
  /** 1 for a sender that the mask is locked to: only its proven mail is allowed. */
  must_be_proven: Generated<Flag>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    mask_senders: MaskSendersTable;
  }
}
