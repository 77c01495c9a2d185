import { sql } from "kysely";
import type { RuleStatistics } from "../../core/masks/mailStatistics.ts";
import type { Db } from "./database.ts";

/** What became of one mail of a mask. */
export interface Flow {
  readonly forwarded: boolean;
  readonly blocked: boolean;
  /** Whether its sender was answered. */
  readonly answered: boolean;
}

const one = (yes: boolean): number => (yes ? 1 : 0);

/**
 * Counts one mail as received by a mask, and as what became of it; the mask's row is locked from then on. False, and
 * nothing is counted, when the mask is no longer active or no longer leads to that destination: then its owner has
 * changed their mind meanwhile.
 */
export const countReceived = async (
  db: Db,
  mask: { readonly maskId: string; readonly destinationId: string },
  flow: Flow,
  at: { readonly now: number; readonly month: string },
): Promise<boolean> => {
  const { now, month } = at;
  const number = (value: number) => sql<number>`cast(${value} as bigint)`;
  const counted = await db
    .insertInto("mask_statistics")
    .columns([
      "mask_id",
      "user_id",
      "total_received",
      "total_forwarded",
      "spam_blocked",
      "total_sent",
      "last_used_at",
      "month",
      "month_received",
    ])
    .expression((eb) =>
      eb
        .selectFrom("masks")
        .where("masks.id", "=", mask.maskId)
        .where("masks.active", "=", 1)
        .where("masks.destination_id", "=", mask.destinationId)
        .select([
          "masks.id",
          "masks.user_id",
          number(1).as("received"),
          number(one(flow.forwarded)).as("forwarded"),
          number(one(flow.blocked)).as("blocked"),
          number(one(flow.answered)).as("answered"),
          number(now).as("used"),
          sql<string>`cast(${month} as text)`.as("month"),
          number(1).as("month_received"),
        ]),
    )
    .onConflict((conflict) =>
      conflict.column("mask_id").doUpdateSet((eb) => ({
        total_received: eb("mask_statistics.total_received", "+", 1),
        total_forwarded: eb("mask_statistics.total_forwarded", "+", one(flow.forwarded)),
        spam_blocked: eb("mask_statistics.spam_blocked", "+", one(flow.blocked)),
        total_sent: eb("mask_statistics.total_sent", "+", one(flow.answered)),
        last_used_at: now,
        month,
        month_received: eb
          .case()
          .when("mask_statistics.month", "=", month)
          .then(eb("mask_statistics.month_received", "+", 1))
          .else(1)
          .end(),
      })),
    )
    .returning("mask_id")
    .execute();
  return counted.length === 1;
};

/** Changes what a mask's statistics say of its rules; the caller has locked its row. */
export const changeDetails = async (
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
