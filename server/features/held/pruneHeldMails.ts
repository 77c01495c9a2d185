import { heldDays } from "../../../core/held/heldMail.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Prune } from "../../platform/ops/housekeeping.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { countHeldMail } from "./heldCounts.ts";
import { deleteHeldMail, listOverdueMails } from "./heldQueries.ts";

const expiredMessage = (count: number): string =>
  count === 1
    ? `A held email was deleted, because it was not released within ${heldDays} days.`
    : `${count} held emails were deleted, because they were not released within ${heldDays} days.`;

/** Deletes mails that have been held for 7 days, and tells each owner how many. */
export const pruneHeldMails: Prune = async (db, now, engine) => {
  const overdue = await listOverdueMails(db, now - heldDays * dayMs);
  for (const [userId, mails] of Map.groupBy(overdue, (mail) => mail.userId))
    await db.transaction().execute(async (tx) => {
      let deleted = 0;
      for (const mail of mails) {
        const found = await deleteHeldMail({ engine }, tx, mail, now);
        if (!found) continue;
        deleted += 1;
        await countHeldMail(engine, tx, { userId, ...found }, "expired", now);
      }
      if (deleted === 0) return;
      const notification = {
        userId,
        type: "info",
        priority: "normal",
        message: expiredMessage(deleted),
      } as const;
      await addNotification(tx, notification, now);
    });
};
