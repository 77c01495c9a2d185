import { sql } from "kysely";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { reportDays } from "../../../../core/operator/receiverReports.ts";
import type { Random } from "../../../../core/ports/random.ts";
import type { Database, Db } from "../../../platform/store/database.ts";
import { newId } from "../../../platform/store/id.ts";
import type { ReceiverReport } from "./receiverReport.ts";

/** Rows of all reports together, of those of one sender, and of those whose senders are not proven. */
export const maxRows = 200_000;
export const maxRowsOfSender = 20_000;
export const maxUnprovenRows = 20_000;
/** Rows of one statement, which have seven values each. */
const rowsPerInsert = 100;

/** The sender of a report: the domain in From, and whether the mail passed DMARC. */
export interface ReportSender {
  readonly authorDomain: string;
  readonly isProven: boolean;
}

/** A report without rows counts as one. */
const sumOfRows = sql<number>`cast(coalesce(sum(row_count + 1), 0) as bigint)`;

/** Senders without a proof may write any domain, so they count together. */
const countedSender = sql<string>`case when is_proven = 1 then author_domain else '' end`;
const keyOf = ({ authorDomain, isProven }: ReportSender): string => (isProven ? authorDomain : "");

/** Deletes the oldest reports of a sender, but for a new one, until so many rows are free. */
const deleteOldest = async (db: Db, sender: string, newId: string, rows: number): Promise<void> => {
  const oldest = await db
    .selectFrom("receiver_reports")
    .where(countedSender, "=", sender)
    .where("id", "!=", newId)
    .orderBy("received_at")
    .orderBy("id")
    .limit(rows)
    .select(["id", "row_count"])
    .execute();
  const gone: string[] = [];
  let freed = 0;
  for (const { id, row_count: count } of oldest) {
    if (freed >= rows) break;
    gone.push(id);
    freed += count + 1;
  }
  if (gone.length > 0) await db.deleteFrom("receiver_reports").where("id", "in", gone).execute();
};

/**
 * Makes room for a new report: beyond its sender's share that sender's oldest reports go, and beyond that of all those of
 * whoever has most. So nobody who fills the store keeps others out.
 */
const makeRoom = async (db: Db, sender: ReportSender, newId: string): Promise<void> => {
  const used = await db
    .selectFrom("receiver_reports")
    .groupBy(countedSender)
    .select([countedSender.as("sender"), sumOfRows.as("rows")])
    .execute();
  const counts = used.map((one) => ({ sender: one.sender, rows: Number(one.rows) }));
  const key = keyOf(sender);
  const own = counts.find((one) => one.sender === key)?.rows ?? 0;
  const most = sender.isProven ? maxRowsOfSender : maxUnprovenRows;
  if (own > most) return deleteOldest(db, key, newId, own - most);
  const all = counts.reduce((sum, { rows }) => sum + rows, 0);
  if (all <= maxRows) return;
  const [largest] = counts.toSorted((one, other) => other.rows - one.rows);
  await deleteOldest(db, largest?.sender ?? key, newId, all - maxRows);
};

const insertRows = async (db: Db, id: string, report: ReceiverReport): Promise<void> => {
  for (let at = 0; at < report.rows.length; at += rowsPerInsert)
    if (report.kind === "dmarc")
      await db
        .insertInto("dmarc_report_rows")
        .values(
          report.rows
            .slice(at, at + rowsPerInsert)
            .map(({ sourceIp, ...row }) => ({ report_id: id, source_ip: sourceIp, ...row })),
        )
        .execute();
    else
      await db
        .insertInto("tls_report_rows")
        .values(
          report.rows
            .slice(at, at + rowsPerInsert)
            .map(({ policyType, ...row }) => ({ report_id: id, policy_type: policyType, ...row })),
        )
        .execute();
};

/** Stores a report, in place of the oldest ones where there is no more room; the same report of the same sender is stored once. */
export const storeReport = (
  database: Pick<Database, "transaction">,
  report: ReceiverReport,
  sender: ReportSender,
  at: { readonly now: number; readonly random: Random },
): Promise<"stored" | "known"> =>
  database.transaction(async (db) => {
    const id = newId(at.random);
    const inserted = await db
      .insertInto("receiver_reports")
      .values({
        id,
        kind: report.kind,
        reporter: report.reporter,
        author_domain: sender.authorDomain,
        is_proven: sender.isProven ? 1 : 0,
        report_id: report.reportId,
        domain: report.domain,
        begins_at: report.beginsAt,
        ends_at: report.endsAt,
        row_count: report.rows.length,
        received_at: at.now,
      })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) return "known";
    await insertRows(db, id, report);
    await makeRoom(db, sender, id);
    return "stored";
  });

/** Deletes reports that arrived more than 60 days ago. */
export const pruneReports = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("receiver_reports")
    .where("received_at", "<", now - reportDays * dayMs)
    .execute();
};
