import { sql } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import { reportDays } from "../../../core/operator/receiverReports.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import type { ReceiverReport } from "./receiverReport.ts";

/** Rows of all reports together, of those of one sender, and of those whose senders are not proven. */
const maxRows = 200_000;
const maxRowsOfSender = 20_000;
const maxUnprovenRows = 20_000;
/** A report without rows counts as one. */
const rowsOf = ({ rows }: ReceiverReport): number => rows.length + 1;
/** Rows of one statement, which have seven values each. */
const rowsPerInsert = 100;

/** Who sent a report: the domain in From, and whether the mail passed DMARC. */
export interface ReportSender {
  readonly authorDomain: string;
  readonly isProven: boolean;
}

const hasRoom = async (db: Db, { authorDomain, isProven }: ReportSender, rows: number): Promise<boolean> => {
  const sum = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<number>`cast(coalesce(sum(case when ${condition} then row_count + 1 else 0 end), 0) as bigint)`;
  const used = await db
    .selectFrom("receiver_reports")
    .select([
      sum(sql`1 = 1`).as("all"),
      sum(sql`author_domain = ${authorDomain} and is_proven = 1`).as("ofSender"),
      sum(sql`is_proven = 0`).as("unproven"),
    ])
    .executeTakeFirstOrThrow();
  if (Number(used.all) + rows > maxRows) return false;
  return isProven
    ? Number(used.ofSender) + rows <= maxRowsOfSender
    : Number(used.unproven) + rows <= maxUnprovenRows;
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

/** Stores a report; the same report of the same sender is stored once, and none when there is no more room. */
export const storeReport = (
  database: Pick<Database, "transaction">,
  report: ReceiverReport,
  sender: ReportSender,
  at: { readonly now: number; readonly random: Random },
): Promise<"stored" | "known" | "full"> =>
  database.transaction(async (db) => {
    if (!(await hasRoom(db, sender, rowsOf(report)))) return "full";
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
    return "stored";
  });

/** Deletes reports that arrived more than 60 days ago. */
export const pruneReports = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("receiver_reports")
    .where("received_at", "<", now - reportDays * dayMs)
    .execute();
};
