import { sql } from "kysely";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { type ReceiverReports, reportFigureDays } from "../../../../core/operator/receiverReports.ts";
import type { Db } from "../../../platform/store/database.ts";

/** Groups of failures that are shown. */
const maxShown = 10;
/** Groups that are read, so that those of this machine are among them. */
const maxRead = 1_000;

const total = sql<number>`cast(coalesce(sum(count), 0) as bigint)`;

const countReports = async (db: Db, kind: "dmarc" | "tls", since: number): Promise<number> => {
  const { count } = await db
    .selectFrom("receiver_reports")
    .where("kind", "=", kind)
    .where("received_at", ">=", since)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const readDmarc = async (
  db: Db,
  since: number,
  ownAddresses: readonly string[],
): Promise<ReceiverReports["dmarc"]> => {
  const rows = db
    .selectFrom("dmarc_report_rows")
    .innerJoin("receiver_reports", "receiver_reports.id", "dmarc_report_rows.report_id")
    .where("received_at", ">=", since);
  const sums = await rows
    .select([
      total.as("mails"),
      sql<number>`cast(coalesce(sum(case when dkim = 'pass' or spf = 'pass' then count else 0 end), 0) as bigint)`.as(
        "passed",
      ),
    ])
    .executeTakeFirstOrThrow();
  const failed = await rows
    .where("dkim", "=", "fail")
    .where("spf", "=", "fail")
    .groupBy(["reporter", "is_proven", "domain", "source_ip", "disposition"])
    .orderBy(total, "desc")
    .limit(maxRead)
    .select([
      "reporter",
      "is_proven as isProven",
      "domain",
      "source_ip as sourceIp",
      "disposition",
      total.as("count"),
    ])
    .execute();
  const own = new Set(ownAddresses);
  return {
    reports: await countReports(db, "dmarc", since),
    mails: Number(sums.mails),
    passed: Number(sums.passed),
    failed: failed
      .map((row) => ({
        ...row,
        isProven: row.isProven === 1,
        isOwn: own.has(row.sourceIp),
        dkim: "fail" as const,
        spf: "fail" as const,
        count: Number(row.count),
      }))
      .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.count - a.count)
      .slice(0, maxShown),
  };
};

const readTls = async (db: Db, since: number): Promise<ReceiverReports["tls"]> => {
  const rows = db
    .selectFrom("tls_report_rows")
    .innerJoin("receiver_reports", "receiver_reports.id", "tls_report_rows.report_id")
    .where("received_at", ">=", since);
  const sums = await rows
    .select([
      total.as("connections"),
      sql<number>`cast(coalesce(sum(case when result <> 'success' then count else 0 end), 0) as bigint)`.as(
        "failed",
      ),
    ])
    .executeTakeFirstOrThrow();
  const failures = await rows
    .where("result", "<>", "success")
    .groupBy(["reporter", "is_proven", "domain", "result"])
    .orderBy(total, "desc")
    .limit(maxShown)
    .select(["reporter", "is_proven as isProven", "domain", "result", total.as("count")])
    .execute();
  return {
    reports: await countReports(db, "tls", since),
    connections: Number(sums.connections),
    failed: Number(sums.failed),
    failures: failures.map((row) => ({ ...row, isProven: row.isProven === 1, count: Number(row.count) })),
  };
};

/** Reads what receivers reported in the last 14 days; `ownAddresses` are those of this machine. */
export const readReceiverReports = async (
  db: Db,
  now: number,
  ownAddresses: readonly string[],
): Promise<ReceiverReports> => {
  const since = now - reportFigureDays * dayMs;
  return { dmarc: await readDmarc(db, since, ownAddresses), tls: await readTls(db, since) };
};
