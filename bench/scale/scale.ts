import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cryptoRandom } from "../../adapters/system/clockAndRandom.ts";
import { dayOf } from "../../core/kernel/calendarDay.ts";
import { hourMs } from "../../core/kernel/durations.ts";
import { pruneFinishedMails } from "../../server/delivery/queue/finishedMails.ts";
import { addCounts } from "../../server/features/insights/countQueries.ts";
import { findMailRoute } from "../../server/features/masks/findMailRoute.ts";
import { createFindMaskPage } from "../../server/features/masks/maskQueries.ts";
import { readStoredFigures } from "../../server/features/operator/overview.ts";
import { seedAccounts } from "../../server/features/operator/seed.ts";
import { type Database, openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { pruneAll } from "../../test/server/support/serverContext.ts";
import { addFinishedMails, finishedForMs } from "./finishedMails.ts";
import { masksEach } from "./model.ts";
import { measureOnPostgresql } from "./onPostgresql.ts";
import { at, pick, timed, timeEach } from "./timing.ts";

/** SCALE_USERS makes a smaller or larger installation; ten masks belong to each user. */
const users = Number(process.env["SCALE_USERS"] ?? 100_000);
const smallUsers = 1_000;
const lookUps = 2_000;
const lists = 200;

interface Measured {
  readonly seedS: number;
  readonly megabytes: number;
  readonly route: readonly number[];
  readonly list: readonly number[];
  readonly count: readonly number[];
  readonly figures: number;
  readonly housekeeping: number;
  /** Deleting finished mails, when none is old enough. */
  readonly nothingFinished: number;
  /** Deleting the finished mails of an hour. */
  readonly hourFinished: number;
}

/** The day's counters of one user's mail, as a mail adds them. */
const countMail = (database: Database, userId: string, now: number): Promise<void> =>
  database.transaction((db) =>
    addCounts(
      db,
      database.engine,
      ["received", "forwarded"].map((key) => ({
        userId,
        maskId: null,
        kind: "day",
        period: dayOf(now),
        key,
        n: 1,
        lastAt: now,
      })),
      now,
    ),
  );

const measure = async (accounts: number): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-scale-"));
  const file = join(folder, "bauta.db");
  const database = await openDatabase(sqliteEngine(file));
  const now = Date.now();
  try {
    const seedMs = await timed(() =>
      seedAccounts(database, {
        accounts,
        masksEach,
        maskDomain: "masks.example",
        tier: "self_hosted",
        random: cryptoRandom,
        now,
        onProgress: () => {},
      }),
    );
    const { db, engine } = database;
    const everyOwner = (await db.selectFrom("users").select("id").execute()).map(({ id }) => id);
    await addFinishedMails(database, everyOwner, now);
    const someOwners = pick(everyOwner, lists);
    const addresses = await db
      .selectFrom("masks")
      .where("user_id", "in", [...pick(everyOwner, lookUps / masksEach)])
      .select("email")
      .execute();
    const findMaskPage = createFindMaskPage(database);
    return {
      seedS: seedMs / 1_000,
      route: await timeEach(addresses, ({ email }) => findMailRoute(engine, email)),
      list: await timeEach(someOwners, (id) => findMaskPage(id, { after: null, limit: 50 })),
      count: await timeEach(someOwners, (id) => countMail(database, id, now)),
      figures: await timed(() => readStoredFigures(database, now, [])),
      housekeeping: await timed(() => pruneAll(database, now)),
      nothingFinished: await timed(() => pruneFinishedMails(database, now - finishedForMs)),
      hourFinished: await timed(() => pruneFinishedMails(database, now - finishedForMs + hourMs)),
      megabytes: statSync(file).size / 1_000_000,
    };
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const line = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(46) : cell.padStart(22))).join("");
const spread = (times: readonly number[]): string =>
  `${at(times, 0.5).toFixed(2)} / ${at(times, 0.99).toFixed(2)} ms`;

/** Measures what grows with an installation, beside one of a thousand users, on SQLite with durable commits. */
const measureOnSqlite = async (): Promise<void> => {
  const small = await measure(smallUsers);
  const large = await measure(users);
  const both = (text: (one: Measured) => string): readonly string[] => [text(small), text(large)];
  const sizes = [smallUsers, users].map((count) => `${(count * masksEach).toLocaleString("en-US")} masks`);
  console.log(line(["median / 99th percentile", ...sizes]));
  console.log(line(["look-up of a mail's route", ...both(({ route }) => spread(route))]));
  console.log(line(["masks of a user (one page)", ...both(({ list }) => spread(list))]));
  console.log(line(["counters of one mail, committed", ...both(({ count }) => spread(count))]));
  console.log(line(["operator's figures", ...both(({ figures }) => `${figures.toFixed(1)} ms`)]));
  console.log(
    line(["housekeeping, nothing to delete", ...both((one) => `${one.housekeeping.toFixed(1)} ms`)]),
  );
  console.log(
    line(["finished mails, none is old", ...both((one) => `${one.nothingFinished.toFixed(1)} ms`)]),
  );
  console.log(
    line(["finished mails, an hour of a week", ...both((one) => `${one.hourFinished.toFixed(1)} ms`)]),
  );
  console.log(line(["creating them", ...both(({ seedS }) => `${seedS.toFixed(1)} s`)]));
  console.log(line(["database file", ...both(({ megabytes }) => `${megabytes.toFixed(0)} MB`)]));
};

/** Measures on PostgreSQL beside the model, and on SQLite; SCALE_ON takes one of both. */
export const run = async (): Promise<void> => {
  const only = process.env["SCALE_ON"];
  if (only !== "sqlite") await measureOnPostgresql();
  if (only !== "postgresql") await measureOnSqlite();
};
