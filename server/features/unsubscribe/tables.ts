import type { Time } from "../../platform/store/tables.ts";

/** A link to unsubscribe that was used. */
export interface UnsubscribingsTable {
  /** Keyed hash of the link. */
  link_hash: string;
  user_id: string;
  /** "failed" may be tried again. */
  state: "running" | "done" | "failed";
  /** When it was used last. */
  at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    unsubscribings: UnsubscribingsTable;
  }
}
