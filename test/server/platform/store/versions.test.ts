import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { Kysely, sql } from "kysely";
import { openBackup } from "../../../../server/platform/backup/readBackup.ts";
import { restoreBackup } from "../../../../server/platform/backup/restoreBackup.ts";
import { writeBackup } from "../../../../server/platform/backup/writeBackup.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { allMigrations, initialName } from "../../../../server/platform/store/migrations/migrations.ts";
import { ownTables } from "../../../../server/platform/store/ownTables.ts";
import { migrateTo, readApplied } from "../../../../server/platform/store/schema.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import type { Tables } from "../../../../server/platform/store/tables.ts";
import { skipWithout } from "../../../support/missing.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { connectPostgresql, hasPostgresql, newEmptyPostgresqlDatabase } from "../../support/postgresql.ts";
import { describeSchema } from "../../support/schema.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

/** The hash of the schema after each migration on the main branch. Lines are added and never changed. */
const fingerprints = JSON.parse(
  readFileSync(new URL("../../../data/schemas.json", import.meta.url), "utf8"),
) as Record<string, string>;

/** The migrations that the last version before 0.3.0 records, read from a database of it. */
const lastBefore = [
  "0001_initial",
  "0002_eventsByUser",
  "0003_actionLinks",
  "0004_keyOffer",
  "0005_apiTokens",
  "0006_webhooks",
  "0007_madeFor",
  "0008_identities",
  "0009_unsubscribe",
  "0010_notificationPlace",
  "0011_signInWays",
  "0012_mailingLists",
  "0013_passkeys",
  "0014_recentProof",
  "0015_keyBackups",
  "0016_dailyDigest",
  "0017_receivers",
  "0018_destinationKeys",
  "0019_keptInApp",
  "0020_tasksAndPartitions",
  "0021_installation",
  "0022_sharedRates",
  "0023_removedAddresses",
  "0025_fairShares",
  "0026_keptBytes",
  "0027_calendarsThroughMask",
  "0029_shownDescriptions",
  "0031_maskTags",
];

const withDb = async <A>(engine: Engine, work: (db: Kysely<Tables>) => Promise<A>): Promise<A> => {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};

/** Has a database say that these migrations have made it. */
const record = (engine: Engine, names: readonly string[]): Promise<void> =>
  withDb(engine, async (db) => {
    await sql`delete from kysely_migration`.execute(db);
    for (const [index, name] of names.entries())
      await sql`insert into kysely_migration (name, timestamp)
        values (${name}, ${new Date(Date.UTC(2026, 10, 26, index)).toISOString()})`.execute(db);
  });

/** Makes a database of an account with a mask that says so, with the tables of 0.3.0 unless it names later migrations. */
const leaveWith = async (engine: () => Engine, names: readonly string[]): Promise<void> => {
  await withDb(engine(), async (db) => {
    await migrateTo(db, engine(), [initialName, ...names]);
    await addMask(db, await addOwner(db), { email: "shop@masks.example" });
  });
  await record(engine(), names);
};

/** Reads the schema that this version gives a new database. */
const presentSchema = async (engine: Engine) =>
  withDb(engine, async (db) => {
    await migrateTo(db, engine, presentNames(engine));
    return describeSchema(db, engine.name);
  });

/** The values that columns of migrations after 0.3.0 have in rows from before. */
const addedColumns = {
  users: { mask_list_settings: null, show_codes: 0 },
  masks: { show_codes: 0, made_by_token: null },
} as const;

const withAddedColumns = ({ users, masks }: Awaited<ReturnType<typeof readContent>>) => ({
  users: users.map((row) => ({ ...row, ...addedColumns.users })),
  masks: masks.map((row) => ({ ...row, ...addedColumns.masks })),
});

const readContent = async (db: Kysely<Tables>) => ({
  users: await db.selectFrom("users").selectAll().orderBy("id").execute(),
  masks: await db.selectFrom("masks").selectAll().orderBy("id").execute(),
});

/** Reads all that a refused start has to leave as it is. */
const readState = (engine: Engine) =>
  withDb(engine, async (db) => ({
    migrations: (await sql`select * from kysely_migration order by name`.execute(db)).rows,
    schema: await describeSchema(db, engine.name),
    ...(await readContent(db)),
  }));

const presentNames = (engine: Engine): readonly string[] => Object.keys(allMigrations(engine));

const problemAt = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
    return "opened";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const openAndClose = async (...args: Parameters<typeof openDatabase>): Promise<void> =>
  (await openDatabase(...args)).close();

const tooOld = (last: string | undefined): string =>
  `this version does not read tables from before 0.3.0 (their last change is ${last}): start the last version before ` +
  "0.3.0 on them, or let it restore a backup of them (bauta backup, bauta restore), which updates them, and then start " +
  "this version; see Updates in docs/self-hosting.md";

/** Restores a backup, and returns what it leaves. */
const restore = async (file: string, engine: () => Engine) => {
  using from = openBackup(file);
  await restoreBackup({ from, engine: engine(), dataDir: null, afterRestore: async () => {} });
  const database = await openDatabase(engine(), { keepVersion: true });
  const restored = { ...(await readContent(database.db)), applied: await readApplied(database.db) };
  await database.close();
  return restored;
};

/** Tests what becomes of databases of other versions, with backups in a folder. */
const testVersions = (folder: () => string, newEngine: () => Promise<() => Engine>): void => {
  it("is kept by the one step from the last version before 0.3.0, after a backup that can be restored", async () => {
    const engine = await newEngine();
    await leaveWith(engine, lastBefore);
    const before = await readState(engine());
    const to = join(folder(), "before.gz");
    const asked: unknown[] = [];
    const beforeMigrating = async (database: Database, missing: readonly string[]): Promise<void> => {
      asked.push(missing);
      await writeBackup({ database, dataDir: folder(), to, now: 1 });
    };
    for (const _ of [1, 2]) await openAndClose(engine(), { beforeMigrating });
    expect(asked).to.deep.equal([presentNames(engine())]);
    const { migrations, ...after } = await readState(engine());
    const schema = await presentSchema((await newEngine())());
    expect(after).to.deep.equal({ schema, ...withAddedColumns(before) });
    expect(migrations).to.have.length(presentNames(engine()).length);
    expect(await withDb(engine(), readApplied)).to.deep.equal(presentNames(engine()));

    const { applied, users, masks } = await restore(to, await newEngine());
    expect({ users, masks }).to.deep.equal(withAddedColumns(before));
    expect(applied).to.deep.equal(presentNames(engine()));
  });

  it("is refused in every other state before 0.3.0, without a change and with the way to this version", async () => {
    const engine = await newEngine();
    await leaveWith(engine, lastBefore);
    const beforeMigrating = () => Promise.reject(new Error("asked for a backup"));
    for (const names of [
      ["2026_11_20_start", "2026_11_21_answers"],
      ["0001_initial"],
      lastBefore.slice(0, -1),
      lastBefore.slice(1),
      [...lastBefore, "0032_unknown"],
    ]) {
      await record(engine(), names);
      const before = await readState(engine());
      for (const options of [{ beforeMigrating }, { keepVersion: true }])
        expect(await problemAt(() => openAndClose(engine(), options))).to.equal(tooOld(names.at(-1)));
      expect(await readState(engine())).to.deep.equal(before);
    }
  });

  it("is refused as a backup too, which leaves nothing behind", async () => {
    const [source, target] = [await newEngine(), await newEngine()];
    await leaveWith(source, presentNames(source()));
    const to = join(folder(), "old.gz");
    const database = await openDatabase(source());
    await writeBackup({ database, dataDir: folder(), to, now: 1 });
    await database.close();
    const [head = "", ...lines] = gunzipSync(readFileSync(to)).toString().split("\n");
    const old = JSON.stringify({ ...JSON.parse(head), migrations: ["0001_initial"] });
    writeFileSync(to, gzipSync([old, ...lines].join("\n")));
    expect(await problemAt(() => restore(to, target))).to.equal(tooOld("0001_initial"));
    expect(await withDb(target(), (db) => ownTables(db, { withInternalKyselyTables: true }))).to.deep.equal(
      [],
    );
  });

  it("is refused without a change when a newer version has written it", async () => {
    const engine = await newEngine();
    await leaveWith(engine, [...presentNames(engine()), "9999_later"]);
    const before = await readState(engine());
    expect(await problemAt(() => openAndClose(engine()))).to.contain(
      "a newer version of Bauta has changed the database (9999_later)",
    );
    expect(await readState(engine())).to.deep.equal(before);
  });

  it("is changed after its backup only, and never by a command", async () => {
    const engine = await newEngine();
    await leaveWith(engine, lastBefore);
    const before = await readState(engine());
    const beforeMigrating = () => Promise.reject(new Error("no room for a backup"));
    expect(await problemAt(() => openAndClose(engine(), { beforeMigrating }))).to.equal(
      "no room for a backup",
    );
    expect(await problemAt(() => openAndClose(engine(), { keepVersion: true }))).to.contain(
      "of an earlier version",
    );
    expect(await readState(engine())).to.deep.equal(before);
  });

  it("needs no backup while it is new", async () => {
    const engine = await newEngine();
    const beforeMigrating = () => Promise.reject(new Error("asked for a backup"));
    for (const _ of [1, 2])
      expect(await problemAt(() => openAndClose(engine(), { beforeMigrating }))).to.equal("opened");
  });
};

describe("A PostgreSQL database of another version", () => {
  before(function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
  });

  testVersions(useTemporaryFolder(), async () => {
    const url = await newEmptyPostgresqlDatabase();
    return () => connectPostgresql(url);
  });

  it("is updated once by processes that start together", async () => {
    const url = await newEmptyPostgresqlDatabase();
    await leaveWith(() => connectPostgresql(url), lastBefore);
    const opened = await Promise.all([0, 1, 2].map(() => openDatabase(connectPostgresql(url))));
    for (const { db, engine, close } of opened) {
      expect(await readApplied(db)).to.deep.equal(presentNames(engine));
      await close();
    }
  });
});

describe("A database of another version", () => {
  const folder = useTemporaryFolder();

  let files = 0;
  testVersions(folder, async () => {
    files += 1;
    const path = join(folder(), `${files}.db`);
    return () => sqliteEngine(path);
  });

  it("is created by migrations that have not been edited since", async () => {
    const fingerprint = async (db: Kysely<Tables>): Promise<string> => {
      const { rows } = await sql<{ sql: string | null }>`
        select sql from sqlite_master where name not like 'kysely_%' order by type, name`.execute(db);
      return createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
    };
    const path = join(folder(), "new.db");
    const names = presentNames(sqliteEngine(path));
    const now: Record<string, string> = {};
    for (const [index, name] of names.entries())
      now[name] = await withDb(sqliteEngine(path), async (db) => {
        await migrateTo(db, sqliteEngine(path), names.slice(0, index + 1));
        return fingerprint(db);
      });
    const unknown = Object.entries(now).filter(([name]) => !(name in fingerprints));
    expect(Object.fromEntries(unknown), "add these lines to test/data/schemas.json").to.deep.equal({});
    for (const [name, landed] of Object.entries(fingerprints))
      expect(now[name], `${name} has landed and cannot change; all now: ${JSON.stringify(now)}`).to.equal(
        landed,
      );
  });
});
