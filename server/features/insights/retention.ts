import { type SqlBool, sql } from "kysely";
import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { historyMs, limitsOf, type Tier, tiers } from "../../../core/tiers/tier.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { SharedTasks } from "../../platform/store/sharedTasks.ts";
import { countKinds } from "./countQueries.ts";
import { deleteDerivedData, listConsentsBeyondPlan } from "./derivedData.ts";
import { firstChartDay, oldestPeriodWithin } from "./history.ts";
import { countNewMails, hasNewMails } from "./newMails.ts";

/**
 * The rows of senders that figures keep of an account, and as many of its masks: a domain on a day or in a month. Mail can
 * name any number of domains.
 */
export const maxSenderCounts = 20_000;

/** Deletes the senders of each account that have written least recently, beyond `kept` rows. */
export const pruneSenderCounts = async (db: Db, kept: number): Promise<void> => {
  for (const table of ["account_counts", "mask_counts"] as const) {
    const users = await db
      .selectFrom(table)
      .where("kind", "=", "sender")
      .groupBy("user_id")
      .having(({ eb, fn }) => eb(fn.countAll(), ">", kept))
      .select("user_id as id")
      .execute();
    for (const { id } of users)
      await sql`delete from ${sql.table(table)} where user_id = ${id} and kind = 'sender' and last_at <= (
        select last_at from ${sql.table(table)} where user_id = ${id} and kind = 'sender'
        order by last_at desc limit 1 offset ${kept})`.execute(db);
  }
};

const countTables = ["account_counts", "mask_counts"] as const;

/** Ordered by id. */
const listUsersOfTiers = async (
  db: Db,
  tiers: readonly string[],
  { since, after, limit }: { readonly since: number; readonly after: string; readonly limit: number },
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("tier", "in", tiers)
    .where("plan_changed_at", "<=", since)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

const deleteHistory = async (
  db: Db,
  userIds: readonly string[],
  oldest: {
    readonly day: string;
    readonly month: string;
    /** Milliseconds since 1970. */
    readonly mail: number;
    readonly chartDay: string;
    readonly thisMonth: string;
  },
): Promise<void> => {
  const historyKinds = countKinds.filter((kind) => kind !== "day" && kind !== "month");
  for (const table of countTables) {
    const rows = db.deleteFrom(table).where("user_id", "in", userIds);
    await rows
      .where("kind", "in", historyKinds)
      .where("period", "<", oldest.day)
      .where(sql<SqlBool>`length(period) = 10`)
      .execute();
    await rows
      .where("kind", "in", historyKinds)
      .where("period", "<", oldest.month)
      .where(sql<SqlBool>`length(period) = 7`)
      .execute();
    await rows.where("kind", "=", "day").where("period", "<", oldest.chartDay).execute();
    await rows.where("kind", "=", "month").where("period", "<", oldest.thisMonth).execute();
  }
  await db.deleteFrom("recent_mails").where("user_id", "in", userIds).where("at", "<", oldest.mail).execute();
};

const intervalMs = hourMs;
/** A user who returns to a larger plan within this time finds everything unchanged. */
const graceMs = 30 * dayMs;
/** The page size, small enough that no transaction waits long. */
const pageSize = 200;

const historyStartOf = (tier: Tier, now: number) => {
  const retentionMs = historyMs(limitsOf[tier].history);
  const { day, month } = oldestPeriodWithin(retentionMs, now);
  return {
    day,
    month,
    mail: retentionMs === null ? 0 : now - retentionMs,
    chartDay: firstChartDay(retentionMs, now),
    thisMonth: monthOf(now),
  };
};

/**
 * Deletes what is older than the owner's plan keeps, and the senders of too many domains, at the earliest 30 days after a change of plan, and
 * derived data that the plan no longer allows. Can be interrupted and repeated.
 */
export const deleteExpiredFigures = async (database: Database, now: number): Promise<void> => {
  await countNewMails(database);
  const { db } = database;
  for (const tier of tiers) {
    const oldest = historyStartOf(tier, now);
    for (let after = ""; ; ) {
      const users = await listUsersOfTiers(db, [tier], { since: now - graceMs, after, limit: pageSize });
      if (users.length > 0) await deleteHistory(db, users, oldest);
      const last = users.at(-1);
      if (last === undefined || users.length < pageSize) break;
      after = last;
    }
  }
  await pruneSenderCounts(db, maxSenderCounts);
  const beyond = await listConsentsBeyondPlan(db);
  if (beyond.length > 0) await deleteDerivedData(db, beyond);
};

/** Creates the interval that deletes expired figures at the start and every hour. */
export const createRetention = (database: Database, clock: Clock, log: Log): IntervalTask => {
  const tasks = new SharedTasks(database, clock);
  const run = () => deleteExpiredFigures(database, clock.now());
  return createIntervalTask(() => tasks.run({ name: "figures", everyMs: intervalMs, run }), {
    everyMs: intervalMs,
    failureMessage: "expired figures could not be deleted",
    clock,
    log,
  });
};

const countEachMs = 5_000;

/** Creates the interval that counts new mails, also those of processes that have ended. */
export const createMailCounting = (database: Database, clock: Clock, log: Log): IntervalTask => {
  const tasks = new SharedTasks(database, clock);
  const task = { name: "new mails", everyMs: countEachMs, run: () => countNewMails(database) };
  const run = async (): Promise<void> => {
    if (await hasNewMails(database.db)) await tasks.run(task);
  };
  return createIntervalTask(run, {
    everyMs: countEachMs,
    failureMessage: "new mails could not be counted",
    clock,
    log,
  });
};
