import { dayMs } from "../../../core/kernel/durations.ts";
import { localPartOf } from "../../../core/mail/emailAddress.ts";
import type { Db } from "../../platform/store/database.ts";
import { isOwnName } from "../masks/ownNames.ts";
import { type Check, ok, warning } from "./check.ts";

/** The time for which the check names what was removed: a certificate lasts as long (90 days). */
const shownForMs = 90 * dayMs;

/** Checks whether accounts have lately had masks with names of the installation, which an update has removed. */
export const checkRemovedNames = async (db: Db, now: number): Promise<Check> => {
  const title = "names of this server";
  const rows = await db
    .selectFrom("removed_addresses")
    .leftJoin("users", "users.id", "removed_addresses.user_id")
    .select(["removed_addresses.address", "users.email"])
    .where("removed_addresses.removed_at", ">", now - shownForMs)
    .orderBy("removed_addresses.address")
    .execute();
  const own = rows.filter(({ address }) => isOwnName(localPartOf(address)));
  if (own.length === 0) return ok(title, "no account has had one");
  const list = own.map(({ address, email }) => `${address} (${email ?? "a deleted account"})`).join(", ");
  return warning(
    title,
    `accounts had ${list} until an update removed them`,
    "Look for certificates of your domain that are not yours, as at crt.sh, and have them revoked; then look at what the accounts have sent",
  );
};
