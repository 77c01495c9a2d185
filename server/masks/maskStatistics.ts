import { sql } from "kysely";
import type { RuleStatistics } from "../../core/masks/mailStatistics.ts";
import type { Db } from "../store/database.ts";

/** What happened to one mail of a mask. */
export interface MailFlow {
  readonly forwarded: boolean;
  readonly blocked: boolean;
  /** Whether the sender got an automatic answer. */
  readonly answered: boolean;
}

/**
 * Counts one received mail of a mask and what happened to it, and locks the mask's row. False, and nothing is
 * counted, when the mask is no longer active or has another destination by now.
 */
export const countReceivedMail = async (
  db: Db,
  mask: { readonly maskId: string; readonly destinationId: string },
  flow: MailFlow,
  at: { readonly now: number; readonly month: string },
): Promise<boolean> => {
  const [forwarded, blocked, answered] = [flow.forwarded, flow.blocked, flow.answered].map(Number);
  const { rows } = await sql<{ mask_id: string }>`
    insert into mask_statistics (
      mask_id, user_id, total_received, total_forwarded, spam_blocked, total_sent, last_used_at, month, month_received
    )
    select
      id, user_id, 1, cast(${forwarded} as bigint), cast(${blocked} as bigint), cast(${answered} as bigint),
      cast(${at.now} as bigint), cast(${at.month} as text), 1
    from masks
    where id = ${mask.maskId} and active = 1 and destination_id = ${mask.destinationId}
    on conflict (mask_id) do update set
      total_received = mask_statistics.total_received + 1,
      total_forwarded = mask_statistics.total_forwarded + excluded.total_forwarded,
      spam_blocked = mask_statistics.spam_blocked + excluded.spam_blocked,
      total_sent = mask_statistics.total_sent + excluded.total_sent,
      last_used_at = excluded.last_used_at,
      month = excluded.month,
      month_received =
        case when mask_statistics.month = excluded.month then mask_statistics.month_received + 1 else 1 end
    returning mask_id
  `.execute(db);
  return rows.length === 1;
};

/** What has happened to a mask so far, as rule conditions use it (D31). */
export interface MaskHistory {
  readonly received: number;
  readonly forwarded: number;
  readonly receivedThisMonth: number;
  /** Milliseconds since 1970; null before its first mail. */
  readonly lastMailAt: number | null;
}

/** Reads a mask's history up to now; `month` is the present one ("2026-11", UTC). */
export const readMaskHistory = async (db: Db, maskId: string, month: string): Promise<MaskHistory> => {
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
