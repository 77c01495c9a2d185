import type { MaskEdit } from "../../../core/masks/mask.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";

/** Throws a 409 where mail of a mask is to stay in the app and its owner has no key: it is kept encrypted alone. */
export const assertMayKeepInApp = async (
  db: Db,
  userId: string,
  settings: MaskEdit["settings"],
): Promise<void> => {
  if ((settings?.keptInApp ?? "no") === "no") return;
  const key = await db
    .selectFrom("public_keys")
    .where("user_id", "=", userId)
    .select("user_id")
    .executeTakeFirst();
  if (key) return;
  throw fieldError(
    "conflict",
    "keptInApp",
    "Mail is kept here encrypted to your key only. Set up a key in Settings, Security, Email Encryption first.",
  );
};
