import { sql } from "kysely";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import type { Db } from "../../platform/store/database.ts";

/** Reports about failed deliveries that a sender gets per day, so that nobody can have us flood a mailbox. */
export const reportsPerDay = 10;

/** Takes one report from a sender's daily limit; false when none is left. */
export const claimReport = async (db: Db, senderHash: string, now: number): Promise<boolean> => {
  const { rows } = await sql<{ sent: number }>`
    insert into sent_reports (sender_hash, day, sent) values (${senderHash}, ${dayOf(now)}, 1)
    on conflict (sender_hash, day) do update set sent = sent_reports.sent + 1
    where sent_reports.sent < cast(${reportsPerDay} as bigint)
    returning sent
  `.execute(db);
  return rows.length === 1;
};

/** Deletes the counts of earlier days. */
export const pruneReports = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sent_reports").where("day", "<", dayOf(now)).execute();
};
