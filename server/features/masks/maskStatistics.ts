import type { RuleStatistics } from "../../../core/masks/mailStatistics.ts";
import type { Db } from "../../platform/store/database.ts";
import type { FactsOfMask } from "../../relay/evaluate/evaluate.ts";

/** Reads a mask's history; `month` is the current one ("2026-11", UTC). */
export const readMaskHistory = async (
  db: Db,
  maskId: string,
  month: string,
): Promise<Omit<FactsOfMask, "confirmed" | "category">> => {
  const row = await db
    .selectFrom("mask_statistics")
    .where("mask_id", "=", maskId)
    .select(["total_received", "total_forwarded", "month", "month_received", "last_used_at"])
    .executeTakeFirst();
  return {
    received: row?.total_received ?? 0,
    forwarded: row?.total_forwarded ?? 0,
    receivedThisMonth: row?.month === month ? row.month_received : 0,
    lastMailAt: row?.last_used_at ?? null,
  };
};

/** Changes a mask's rule statistics; the caller has locked its row. */
export const updateRuleStatistics = async (
  db: Db,
  maskId: string,
  change: (details: RuleStatistics) => RuleStatistics,
): Promise<void> => {
  const { details } = await db
    .selectFrom("mask_statistics")
    .where("mask_id", "=", maskId)
    .select("details")
    .executeTakeFirstOrThrow();
  await db
    .updateTable("mask_statistics")
    .set({ details: JSON.stringify(change(JSON.parse(details) as RuleStatistics)) })
    .where("mask_id", "=", maskId)
    .execute();
};

/** Keeps the tag that the sender of a mail has put behind the name of its mask, in the transaction of the mail. */
export const recordTag = async (
  db: Db,
  { maskId, userId, tag }: { readonly maskId: string; readonly userId: string; readonly tag?: string },
): Promise<void> => {
  if (tag === undefined) return;
  await db
    .updateTable("masks")
    .set({ extension: tag })
    .where("id", "=", maskId)
    .where("user_id", "=", userId)
    .execute();
};
