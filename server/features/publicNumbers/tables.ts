import type { Generated } from "kysely";
import type { NumberedKind } from "./publicNumbers.ts";

/** Numbers of a user's things, for programs that know things by an integer only. A number is never given again. */
export interface PublicNumbersTable {
  number: Generated<number>;
  user_id: string;
  kind: NumberedKind;
  entity_id: string;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    public_numbers: PublicNumbersTable;
  }
}
