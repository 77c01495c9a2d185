import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { cryptoRandom } from "../../adapters/system/clockAndRandom.ts";
import { findMailRoute } from "../../server/features/masks/findMailRoute.ts";
import { createFindMaskPage } from "../../server/features/masks/maskQueries.ts";
import { readStoredFigures } from "../../server/features/operator/overview.ts";
import { seedAccounts } from "../../server/features/operator/seed.ts";
import { type Database, type Db, openDatabase } from "../../server/platform/store/database.ts";
import { connectPostgresql } from "../../test/server/support/postgresql.ts";
import { postgresqlPrograms, startPostgresqlIn } from "../../test/support/postgresqlServer.ts";
import { type Case, measure } from "../mail/measure.ts";
import { startOurs, startSink } from "../mail/subject.ts";
import { addFinishedMails } from "./finishedMails.ts";
import {
  bytesOf,
  finishedDays,
  type Installation,
  type MailCosts,
  type Modelled,
  mailCosts,
  masksEach,
  modelled,
  needsOf,
  rowsOf,
} from "./model.ts";
import { at, pick, timed, timeEach } from "./timing.ts";

const sizes = [1_000, 10_000, 100_000];
const lookUps = 2_000;
const lists = 200;
const load: Case = { size: 10_240, mails: 3_000, keepsConnections: false, recipientsOfMail: 1 };
/** Other connections tell the statistics what they did at most once a second. */
const statisticsMs = 2_500;
/** How far a prediction may be off. */
const tolerance = 0.25;

interface Measured {
  readonly installation: Installation;
  readonly seedS: number;
  readonly bytes: Readonly<Record<Modelled, number>>;
  readonly rows: Readonly<Record<Modelled, number>>;
  readonly costs: MailCosts;
  readonly acceptedASecond: number;
  readonly route: readonly number[];
  readonly list: readonly number[];
  readonly figures: number;
}

const tables = async (db: Db): Promise<Pick<Measured, "bytes" | "rows">> => {
  const { rows } = await sql<{ name: string; bytes: string; rows: string }>`
    select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid)) as bytes,
      sum(greatest(c.reltuples, 0)) as rows
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`.execute(db);
  const of = (field: "bytes" | "rows"): Readonly<Record<Modelled, number>> => {
    const found = new Map(rows.map((row) => [row.name, Number(row[field])]));
    return Object.fromEntries(modelled.map((name) => [name, found.get(name) ?? 0])) as Record<
      Modelled,
      number
    >;
  };
  return { bytes: of("bytes"), rows: of("rows") };
};

interface Done {
  readonly transactions: number;
  readonly rows: number;
}

const done = async (db: Db): Promise<Done> => {
  await sleep(statisticsMs);
  const { rows } = await sql<Done>`
    select cast(xact_commit as float8) as transactions, cast(tup_inserted + tup_updated + tup_deleted as float8) as rows
    from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0] ?? { transactions: 0, rows: 0 };
};

/** Sends mail through a process on the seeded database. */
const measureMail = async (
  url: string,
  db: Db,
): Promise<{ readonly costs: MailCosts; readonly acceptedASecond: number }> => {
  const sink = await startSink();
  const subject = await startOurs(sink.port, { name: "on PostgreSQL", environment: { DATABASE_URL: url } });
  try {
    await measure(subject, sink, { ...load, mails: load.mails / 10 });
    const before = await done(db);
    const { cpuMs, accepted } = await measure(subject, sink, load);
    const after = await done(db);
    const costs = {
      cpuMs,
      transactions: (after.transactions - before.transactions) / load.mails,
      rows: (after.rows - before.rows) / load.mails,
    };
    return { costs, acceptedASecond: accepted };
  } finally {
    await subject.stop();
    sink.stop();
  }
};

const seed = async (database: Database, users: number, now: number): Promise<void> => {
  await seedAccounts(database, {
    accounts: users,
    masksEach,
    maskDomain: "masks.example",
    tier: "self_hosted",
    random: cryptoRandom,
    now,
    onProgress: () => {},
  });
  const owners = (await database.db.selectFrom("users").select("id").execute()).map(({ id }) => id);
  await addFinishedMails(database, owners, now);
  await sql`vacuum analyze`.execute(database.db);
};

const measureSize = async (bin: string, users: number): Promise<Measured> => {
  const { url, stop } = await startPostgresqlIn(bin, true);
  const database = await openDatabase(connectPostgresql(url));
  const now = Date.now();
  try {
    const seedMs = await timed(() => seed(database, users, now));
    const { db, engine } = database;
    const sizesOfTables = await tables(db);
    const someOwners = pick(
      (await db.selectFrom("users").select("id").execute()).map(({ id }) => id),
      lists,
    );
    const addresses = await db
      .selectFrom("masks")
      .where("user_id", "in", [...someOwners])
      .select("email")
      .limit(lookUps)
      .execute();
    const findMaskPage = createFindMaskPage(database);
    return {
      installation: { users, masksEach, mailsADay: (users * masksEach) / finishedDays },
      seedS: seedMs / 1_000,
      ...sizesOfTables,
      ...(await measureMail(url, db)),
      route: await timeEach(addresses, ({ email }) => findMailRoute(engine, email)),
      list: await timeEach(someOwners, (id) => findMaskPage(id, { after: null, limit: 50 })),
      figures: await timed(() => readStoredFigures(database, now, [])),
    };
  } finally {
    await database.close();
    await stop();
  }
};

const print = (cells: readonly string[]): void =>
  console.log(cells.map((cell, n) => (n === 0 ? cell.padEnd(40) : cell.padStart(24))).join(""));
const spread = (times: readonly number[]): string =>
  `${at(times, 0.5).toFixed(2)} / ${at(times, 0.99).toFixed(2)} ms`;

/** What was measured, beside what the model says, with a mark where that is off by more than a quarter. */
const beside = (measured: number, predicted: number, unit = "", divisor = 1): string => {
  const isOff = Math.abs(predicted / measured - 1) > tolerance;
  const digits = predicted / divisor < 10 ? 2 : 0;
  const shown = [measured, predicted].map((value) => (value / divisor).toFixed(digits)).join(" : ");
  return `${shown}${unit}${isOff ? " !" : ""}`;
};

const printMeasured = (all: readonly Measured[]): void => {
  print([
    "measured : predicted",
    ...all.map(({ installation: { users } }) => `${(users * masksEach).toLocaleString("en-US")} masks`),
  ]);
  for (const name of modelled) {
    print([
      `${name}, rows`,
      ...all.map((one) => beside(one.rows[name], rowsOf(one.installation)[name], " k", 1_000)),
    ]);
    print([
      `${name}, with indexes`,
      ...all.map((one) => beside(one.bytes[name], bytesOf(one.installation)[name], " MB", 1e6)),
    ]);
  }
  print(["CPU of a mail", ...all.map(({ costs }) => beside(costs.cpuMs, mailCosts.cpuMs, " ms"))]);
  print([
    "transactions of a mail, with reads",
    ...all.map(({ costs }) => beside(costs.transactions, mailCosts.transactions)),
  ]);
  print(["rows changed by a mail", ...all.map(({ costs }) => beside(costs.rows, mailCosts.rows))]);
  print(["accepted by one process", ...all.map((one) => `${one.acceptedASecond.toFixed(0)} a second`)]);
  print(["look-up of a mail's route", ...all.map(({ route }) => spread(route))]);
  print(["masks of a user (one page)", ...all.map(({ list }) => spread(list))]);
  print(["operator's figures", ...all.map(({ figures }) => `${figures.toFixed(0)} ms`)]);
  print(["creating them", ...all.map(({ seedS }) => `${seedS.toFixed(0)} s`)]);
};

/** The plan's size and ten times that, with ten mails a user and day. */
const printPlans = (costs: MailCosts): void => {
  const plans = [100_000, 1_000_000, 10_000_000].map((users) => ({
    users,
    masksEach,
    mailsADay: users * 10,
  }));
  const needs = plans.map((plan) => needsOf(plan, costs));
  print([
    "ten mails a user and day, at the peak",
    ...plans.map(({ users }) => `${users.toLocaleString("en-US")} users`),
  ]);
  print(["mails a second", ...needs.map((one) => one.mailsASecond.toFixed(0))]);
  print(["busy processors that relay", ...needs.map((one) => one.processors.toFixed(1))]);
  print(["transactions a second", ...needs.map((one) => one.transactionsASecond.toFixed(0))]);
  print(["rows changed a second", ...needs.map((one) => one.rowsASecond.toFixed(0))]);
  print(["Mbit/s each way", ...needs.map((one) => one.megabitsEachWay.toFixed(0))]);
  print(["GB of these tables", ...needs.map((one) => one.gigabytes.toFixed(0))]);
};

/** Measures three sizes on PostgreSQL with durable commits, beside the model, and extrapolates from the largest. */
export const measureOnPostgresql = async (): Promise<void> => {
  const bin = postgresqlPrograms();
  if (bin === null) return console.log("PostgreSQL: left out, its programs are not installed");
  const all: Measured[] = [];
  for (const users of sizes) all.push(await measureSize(bin, users));
  printMeasured(all);
  const largest = all.at(-1);
  if (largest) printPlans(largest.costs);
};
