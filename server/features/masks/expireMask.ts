import { sql } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import { type Expiry, expiryTime, type NewExpiry } from "../../../core/masks/maskExpiry.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import type { Db } from "../../platform/store/database.ts";
import { adjustMaskCount, lockUser } from "../../platform/store/users.ts";
import { recordMaskChange, updateMask } from "../maskChanges/maskChanges.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { expiryColumns } from "./maskExpiry.ts";
import { deleteMaskRow } from "./maskQueries.ts";

const ends: Readonly<Record<Expiry["then"], string>> = {
  disable: "It is switched off.",
  hold: "It is switched off, and its mail is held.",
  delete: `It stays in Deleted masks for ${trashDays} days.`,
};

interface MaskOfUser {
  readonly userId: string;
  readonly maskId: string;
}

/**
 * Ends a mask that has expired: switches it off or deletes it, and notifies its owner of the cause, as in "its date has
 * come". False when it has no expiry any more. Locks the user before the mask.
 */
export const expireMask = async (
  db: Db,
  { userId, maskId }: MaskOfUser,
  cause: string,
  now: number,
): Promise<boolean> => {
  await lockUser(db, userId);
  const mask = await db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .where("user_id", "=", userId)
    .where("active", "=", 1)
    .select(["expiry", "email"])
    .executeTakeFirst();
  if (!mask?.expiry) return false;
  const { then } = JSON.parse(mask.expiry) as NewExpiry;
  const isDeleted = then === "delete";
  await updateMask(
    db,
    userId,
    maskId,
    {
      ...expiryColumns(null, now),
      ...(isDeleted ? {} : { active: 0 }),
      ...(then === "hold" ? { when_off: "hold" } : {}),
    },
    now,
  );
  if (isDeleted) {
    await deleteMaskRow(db, userId, maskId, now);
    await adjustMaskCount(db, userId, -1);
  }
  const message = `The mask ${mask.email} has expired: ${cause}. ${ends[then]}`;
  await addNotification(db, { userId, type: "info", priority: "high", message }, now);
  const author = { userId, clientId: null };
  await recordMaskChange(db, author, isDeleted ? "deleted" : "updated", maskId, now);
  return true;
};

const warningMs = 3 * dayMs;

interface DueMask extends MaskOfUser {
  readonly email: string;
  readonly expiry: NewExpiry;
  readonly at: number;
  readonly from: number;
  readonly warnedFor: number | null;
}

/** The masks that expire before a time, by date or for want of mail. */
const findDue = async (db: Db, before: number): Promise<readonly DueMask[]> => {
  const lastMail = sql<number>`case when coalesce(mask_statistics.last_used_at, 0) > masks.expiry_from
    then mask_statistics.last_used_at else masks.expiry_from end`;
  const rows = await db
    .selectFrom("masks")
    .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .where("masks.expiry", "is not", null)
    .where("masks.active", "=", 1)
    .where(({ eb, or }) =>
      or([eb("masks.expires_at", "<", before), eb(sql`${lastMail} + masks.idle_ms`, "<", before)]),
    )
    .orderBy("masks.user_id")
    .select([
      "masks.id as maskId",
      "masks.user_id as userId",
      "masks.email",
      "masks.expiry",
      "masks.expiry_from as from",
      "masks.expiry_warned_for as warnedFor",
      lastMail.as("lastMail"),
    ])
    .execute();
  return rows.flatMap(({ expiry: text, lastMail, from, ...row }) => {
    const expiry = JSON.parse(text ?? "{}") as NewExpiry;
    const at = expiryTime(expiry, Number(lastMail));
    return at === null ? [] : [{ ...row, expiry, at, from: Number(from) }];
  });
};

const dateFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

const causeOf = ({ expiry, at }: DueMask): string =>
  expiry.at === at ? "its date has come" : `no mail came for ${expiry.idleDays} days`;

/** Warns once of each time that a mask would expire at, in the last 3 days, or in the second half of a shorter time. */
const warn = async (db: Db, mask: DueMask, now: number): Promise<void> => {
  const { userId, maskId, email, at, from, warnedFor } = mask;
  if (warnedFor === at || at - now > Math.min(warningMs, (at - from) / 2)) return;
  const cause = mask.expiry.at === at ? "" : " unless mail comes";
  const lastDay = mask.expiry.at === at ? mask.expiry.lastDay : undefined;
  const day = dateFormat.format(lastDay === undefined ? at - 1 : Date.parse(lastDay));
  const message = `The mask ${email} expires on ${day}${cause}.`;
  await db.updateTable("masks").set({ expiry_warned_for: at }).where("id", "=", maskId).execute();
  await addNotification(db, { userId, type: "warning", priority: "normal", message }, now);
};

/** Ends the masks whose time has come, and warns of those whose time comes soon; each in its own transaction. */
export const expireMasks = async (db: Db, now: number): Promise<void> => {
  for (const mask of await findDue(db, now + warningMs))
    await db.transaction().execute(async (tx) => {
      if (mask.at <= now) await expireMask(tx, mask, causeOf(mask), now);
      else await warn(tx, mask, now);
    });
};
