import type { Db } from "../../platform/store/database.ts";

/** Selects the mask that a link in a mail acts on; none when it was deleted, or its account is suspended. */
export const selectLinkedMask = (db: Db, maskId: string) =>
  db
    .selectFrom("masks")
    .innerJoin("users", "users.id", "masks.user_id")
    .where("masks.id", "=", maskId)
    .where("masks.deleted_at", "is", null)
    .where("users.suspended", "=", 0)
    .select([
      "masks.id",
      "masks.user_id as userId",
      "masks.email",
      "masks.active",
      "masks.when_off as whenOff",
    ]);
