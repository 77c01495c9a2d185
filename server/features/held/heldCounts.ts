import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { historyMs, limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import type { Db } from "../../platform/store/database.ts";
import type { Engine } from "../../platform/store/engine.ts";
import { findUser } from "../../platform/store/users.ts";
import { addCounts } from "../insights/countQueries.ts";
import { periodOf } from "../insights/history.ts";

/** Counts for the insights what happened to a held mail of a mask; `maskId` null is mail of several. */
export const countHeldMail = async (
  engine: Pick<Engine, "jsonRows">,
  db: Db,
  { userId, maskId }: { readonly userId: string; readonly maskId: string | null },
  key: "held" | "released" | "expired",
  now: number,
): Promise<void> => {
  const user = await findUser(db, userId);
  const known =
    maskId === null
      ? undefined
      : await db.selectFrom("masks").where("id", "=", maskId).select("id").executeTakeFirst();
  const period = periodOf(historyMs(limitsOf[parseTier(user?.tier)].history), now);
  const masks = known ? [null, known.id] : [null];
  await addCounts(
    db,
    engine,
    masks.flatMap((id) =>
      (
        [
          ["flow", period],
          ["day", dayOf(now)],
          ["month", monthOf(now)],
        ] as const
      ).map(([kind, inPeriod]) => ({ userId, maskId: id, kind, period: inPeriod, key, n: 1 })),
    ),
    now,
  );
};
