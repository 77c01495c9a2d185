import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Db } from "../../platform/store/database.ts";
import type { MaskDeps } from "../maskDeps.ts";
import { resolveDestination } from "./destination.ts";

interface MaskOfUser {
  readonly userId: string;
  readonly maskId: string;
}

/** Returns each address once, the first spelling of each mailbox. */
const distinct = (addresses: readonly EmailAddress[]): readonly EmailAddress[] => {
  const keys = addresses.map(mailboxKey);
  return addresses.filter((_, n) => keys.indexOf(keys[n] ?? "") === n);
};

/**
 * Stores where the mail of a mask goes besides its first destination. A new address gets a mail with a link to confirm
 * it, and no mail before that. Returns whether such a mail was sent.
 */
export const saveFurtherDestinations = async (
  db: Db,
  deps: MaskDeps,
  { userId, maskId }: MaskOfUser,
  [first, ...others]: readonly EmailAddress[],
): Promise<boolean> => {
  const rest = distinct(others).filter((one) => mailboxKey(one) !== mailboxKey(first ?? ""));
  await db.deleteFrom("mask_destinations").where("mask_id", "=", maskId).execute();
  let isConfirmationSent = false;
  for (const [position, email] of rest.entries()) {
    const destination = await resolveDestination(db, deps, userId, email);
    isConfirmationSent ||= destination.isConfirmationSent;
    await db
      .insertInto("mask_destinations")
      .values({ mask_id: maskId, destination_id: destination.id, user_id: userId, position })
      .execute();
  }
  return isConfirmationSent;
};

/** Replaces a user's mailbox `from` among the further destinations of their masks by the destination `to`. */
export const redirectFurtherDestinations = async (
  db: Db,
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const before = db
    .selectFrom("destinations")
    .select("id")
    .where("user_id", "=", userId)
    .where("email_key", "=", from);
  await db
    .updateTable("mask_destinations")
    .set({ destination_id: to })
    .where("user_id", "=", userId)
    .where("destination_id", "in", before)
    .where("mask_id", "not in", (e) =>
      e.selectFrom("mask_destinations").select("mask_id").where("destination_id", "=", to),
    )
    .execute();
  await db
    .deleteFrom("mask_destinations")
    .where("user_id", "=", userId)
    .where(({ eb, or }) =>
      or([
        eb("destination_id", "in", before),
        eb("mask_id", "in", (e) => e.selectFrom("masks").select("id").where("destination_id", "=", to)).and(
          "destination_id",
          "=",
          to,
        ),
      ]),
    )
    .execute();
};
