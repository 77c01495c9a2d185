import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Kysely, sql } from "kysely";
import { readProviderState } from "../../../../server/delivery/direct/providerQueries.ts";
import {
  pruneReverseAddresses,
  unusedLifetimeMs,
} from "../../../../server/features/correspondents/reverseAddresses.ts";
import { openBackup } from "../../../../server/platform/backup/readBackup.ts";
import { restoreBackup } from "../../../../server/platform/backup/restoreBackup.ts";
import { writeBackup } from "../../../../server/platform/backup/writeBackup.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { earlierSteps } from "../../../../server/platform/store/earlierSchemas/earlierSteps.ts";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { allMigrations } from "../../../../server/platform/store/migrations/migrations.ts";
import { migrateTo, readSchema } from "../../../../server/platform/store/schema.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import type { Tables } from "../../../../server/platform/store/tables.ts";
import { skipWithout } from "../../../support/missing.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { connectPostgresql, hasPostgresql, newEmptyPostgresqlDatabase } from "../../support/postgresql.ts";
import { readQueue } from "../../support/queue.ts";
import { describeSchema } from "../../support/schema.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

/** The hash of the schema after each migration on the main branch. Lines are added and never changed. */
const fingerprints = JSON.parse(
  readFileSync(new URL("../../../data/schemas.json", import.meta.url), "utf8"),
) as Record<string, string>;

const atVersionOf = async <A>(
  engine: Engine,
  versions: readonly string[],
  work: (db: Kysely<Tables>) => Promise<A>,
): Promise<A> => {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await migrateTo(db, engine, versions);
    return await work(db);
  } finally {
    await db.destroy();
  }
};

const addUser = (db: Kysely<Tables>): Promise<unknown> =>
  sql`insert into users (id, email, email_key, tier, key_status, two_factor, mask_count, created_at)
    values ('u', 'Owner@example.org', 'owner@example.org', 'pro', 'configured', 0, 1, 7)`.execute(db);
const addWaitingMail = (db: Kysely<Tables>): Promise<unknown> =>
  sql`insert into queue (id, envelope_sender, recipient, content, size, status, attempts, next_attempt_at,
      leased_until, created_at)
    values ('q', '', 'owner@example.org', ${Buffer.from("AB\r\n")}, 4, 'waiting', 1, 5, 0, 5)`.execute(db);

/** The names of the earlier steps and of the migrations, which need no open database. */
const [names, present] = (() => {
  const unused = mkdtempSync(join(tmpdir(), "bauta-versions-"));
  try {
    const engine = sqliteEngine(join(unused, "bauta.db"));
    return [Object.keys(earlierSteps(engine)), Object.keys(allMigrations(engine))];
  } finally {
    rmSync(unused, { recursive: true, force: true });
  }
})();

/** Tests the way from each version to the present one on a new database, with files in a folder. */
const testUpdates = (folder: () => string, newEngine: () => Promise<() => Engine>): void => {
  it("has the schema of a new one after all earlier steps", async () => {
    const [updated, created] = [await newEngine(), await newEngine()];
    await atVersionOf(updated(), names, async () => {});
    const schemas: unknown[] = [];
    for (const engine of [updated, created]) {
      const { db, engine: opened, close } = await openDatabase(engine());
      schemas.push(await describeSchema(db, opened.name));
      await close();
    }
    expect(schemas[0]).to.deep.equal(schemas[1]);
  });

  for (const last of ["2026_12_02_heldMails", names.at(-1) ?? ""])
    it(`is updated when it is restored from a backup of ${last}`, async () => {
      const [source, target] = [await newEngine(), await newEngine()];
      const to = join(folder(), "backup.gz");
      await atVersionOf(source(), names.slice(0, names.indexOf(last) + 1), addUser);
      const beforeMigrating = async (database: Database): Promise<void> => {
        await writeBackup({ database, dataDir: folder(), to, now: 1 });
      };
      await (await openDatabase(source(), { beforeMigrating })).close();
      using from = openBackup(to);
      await restoreBackup({ from, engine: target(), dataDir: null, afterRestore: async () => {} });
      const database = await openDatabase(target(), { keepVersion: true });
      const user = await database.db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
      expect(user).to.include({ id: "u", email: "Owner@example.org", suspended: 0 });
      expect((await readSchema(database.db, database.engine)).applied).to.deep.equal(present);
      await database.close();
    });

  for (const [index, name] of names.entries())
    it(`is updated from ${name} with its accounts and waiting mails`, async () => {
      const engine = await newEngine();
      await atVersionOf(engine(), names.slice(0, index + 1), async (db) => {
        await addUser(db);
        await addWaitingMail(db);
      });
      const database = await openDatabase(engine());
      try {
        const user = await database.db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
        expect(user).to.include({ id: "u", email: "Owner@example.org", tier: "pro", suspended: 0 });
        const mail = await database.db.selectFrom("queue").selectAll().executeTakeFirstOrThrow();
        expect(mail).to.include({ id: "q", status: "waiting", size: 4, attempts: 1 });
        expect((await readQueue(database.db)).map(({ content }) => content.toString())).to.deep.equal([
          "AB\r\n",
        ]);
        expect((await readSchema(database.db, database.engine)).applied).to.deep.equal(present);
      } finally {
        await database.close();
      }
    });
};

describe("A PostgreSQL database of any earlier version", () => {
  before(function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
  });

  testUpdates(useTemporaryFolder(), async () => {
    const url = await newEmptyPostgresqlDatabase();
    return () => connectPostgresql(url);
  });

  it("is updated once by two processes that start together", async () => {
    const url = await newEmptyPostgresqlDatabase();
    await atVersionOf(connectPostgresql(url), names.slice(0, 20), addUser);
    const opened = await Promise.all([0, 1].map(() => openDatabase(connectPostgresql(url))));
    for (const { db, engine, close } of opened) {
      expect((await readSchema(db, engine)).applied).to.deep.equal(present);
      await close();
    }
  });
});

describe("A database of any earlier version", () => {
  const folder = useTemporaryFolder();
  const file = (): string => join(folder(), "bauta.db");
  const atVersion = <A>(count: number, work: (db: Kysely<Tables>) => Promise<A>): Promise<A> =>
    atVersionOf(sqliteEngine(file()), names.slice(0, count), work);

  let files = 0;
  testUpdates(folder, async () => {
    files += 1;
    const path = join(folder(), `${files}.db`);
    return () => sqliteEngine(path);
  });

  const fingerprint = async (db: Kysely<Tables>): Promise<string> => {
    const { rows } = await sql<{ sql: string | null }>`
      select sql from sqlite_master where name not like 'kysely_%' order by type, name`.execute(db);
    return createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
  };

  it("keeps the reverse addresses that its owners made or used, and lets the others expire", async () => {
    await atVersion(names.indexOf("2026_12_27_reverseAddresses"), async (db) => {
      const owner = await addOwner(db);
      const { id: maskId } = await addMask(db, owner);
      for (const [name, lastIn, lastOut] of [
        ["made", null, null],
        ["used", 1, 1],
        ["unused", 1, null],
      ] as const)
        await sql`insert into reverse_addresses (token_hash, user_id, mask_id, correspondent_hash, sealed, created_at,
            last_in_at, last_out_at, replies)
          values (${name}, ${owner.id}, ${maskId}, ${name}, '', 1, ${lastIn}, ${lastOut}, 0)`.execute(db);
    });
    const database = await openDatabase(sqliteEngine(file()));
    const left = () => database.db.selectFrom("reverse_addresses").select("token_hash").execute();
    await pruneReverseAddresses(database.db, unusedLifetimeMs);
    expect(await left()).to.have.length(3);
    await pruneReverseAddresses(database.db, unusedLifetimeMs + 2);
    expect((await left()).map(({ token_hash }) => token_hash)).to.have.members(["made", "used"]);
    await database.close();
  });

  it("keeps its speed to large providers where it has sent to them directly, and begins slowly elsewhere", async () => {
    const before = present.slice(0, present.indexOf("0017_receivers"));
    for (const isKnown of [true, false]) {
      const path = join(folder(), `${isKnown}.db`);
      await atVersionOf(sqliteEngine(path), before, async (db) => {
        if (isKnown)
          await sql`insert into tls_policies (domain, policy_id, mode, servers, fetched_at, expires_at)
            values ('gmail.com', '1', 'enforce', '[]', 1, 2)`.execute(db);
      });
      const database = await openDatabase(sqliteEngine(path));
      const state = await readProviderState(database.db, "google", 20);
      expect(state.perHour).to.equal(isKnown ? null : 20);
      await database.close();
    }
  });

  it("is created by migrations that have not been edited since", async () => {
    const now: Record<string, string> = {};
    for (const [index, name] of names.entries())
      now[name] = await atVersion(index + 1, (db) => fingerprint(db));
    for (const [index, name] of present.entries())
      now[name] = await atVersionOf(
        sqliteEngine(join(folder(), "new.db")),
        present.slice(0, index + 1),
        fingerprint,
      );
    const unknown = Object.entries(now).filter(([name]) => !(name in fingerprints));
    expect(Object.fromEntries(unknown), "add these lines to test/data/schemas.json").to.deep.equal({});
    for (const [name, landed] of Object.entries(fingerprints))
      expect(now[name], `${name} has landed and cannot change; all now: ${JSON.stringify(now)}`).to.equal(
        landed,
      );
  });

  const problemAt = async (open: () => Promise<Database>): Promise<string> => {
    try {
      await (await open()).close();
      return "opened";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  it("is refused without a change when a newer version has written it", async () => {
    await atVersion(names.length, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('2099_01_01_later', '2099')`.execute(db),
    );
    expect(await problemAt(() => openDatabase(sqliteEngine(file())))).to.contain(
      "a newer version of Bauta has changed the database (2099_01_01_later)",
    );
  });

  it("is migrated after its backup only, and never by a command", async () => {
    await atVersion(1, addUser);
    const before = await atVersion(1, fingerprint);
    const failing = { beforeMigrating: () => Promise.reject(new Error("no room for a backup")) };
    expect(await problemAt(() => openDatabase(sqliteEngine(file()), failing))).to.equal(
      "no room for a backup",
    );
    expect(await problemAt(() => openDatabase(sqliteEngine(file()), { keepVersion: true }))).to.contain(
      "of an earlier version",
    );
    expect(await atVersion(1, fingerprint)).to.equal(before);
  });

  it("needs no backup while it is new", async () => {
    const beforeMigrating = () => Promise.reject(new Error("asked for a backup"));
    expect(await problemAt(() => openDatabase(sqliteEngine(file()), { beforeMigrating }))).to.equal("opened");
    expect(await problemAt(() => openDatabase(sqliteEngine(file()), { beforeMigrating }))).to.equal("opened");
  });
});
