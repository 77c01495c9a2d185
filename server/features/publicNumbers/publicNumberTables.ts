import type { NumberedKind } from "./publicNumbers.ts";

/**
 * Numbers of a user's things, for programs that know things by an integer only: counted by user, from 1 on, so that they tell
 * nothing of others. A number is never given again.
 */
export interface PublicNumbersTable {
  user_id: string;
  number: number;
  kind: NumberedKind;
  entity_id: string;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    public_numbers: PublicNumbersTable;
  }
}
