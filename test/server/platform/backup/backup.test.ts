import { mkdir, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { Kysely } from "kysely";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import {
  enqueue,
  leaseDueMails,
  prepareRestoredQueue,
} from "../../../../server/delivery/queue/queueQueries.ts";
import { addNotification } from "../../../../server/features/notifications/notificationQueries.ts";
import { openBackup } from "../../../../server/platform/backup/readBackup.ts";
import { type RestoreBackup, restoreBackup } from "../../../../server/platform/backup/restoreBackup.ts";
import { writeBackup } from "../../../../server/platform/backup/writeBackup.ts";
import { openSecrets } from "../../../../server/platform/ops/secrets.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { skipWithout } from "../../../support/missing.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { connectPostgresql, hasPostgresql, newEmptyPostgresqlDatabase } from "../../support/postgresql.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

type Kind = "SQLite" | "PostgreSQL";
const kinds: readonly Kind[] = ["SQLite", "PostgreSQL"];
const now = Date.parse("2026-11-22T10:00:00Z");

const restoreFrom = async (file: string, request: Omit<RestoreBackup, "from" | "afterRestore">) => {
  using from = openBackup(file);
  return await restoreBackup({ from, afterRestore: (db) => prepareRestoredQueue(db, now), ...request });
};

describe("A backup", () => {
  const folder = useTemporaryFolder();
  let opened: Database[] = [];
  afterEach(async () => {
    for (const database of opened) await database.close();
    opened = [];
  });

  const newEngine = async (kind: Kind, name: string): Promise<() => Engine> => {
    const url = kind === "PostgreSQL" ? await newEmptyPostgresqlDatabase() : "";
    return () =>
      kind === "PostgreSQL" ? connectPostgresql(url) : sqliteEngine(join(folder(), `${name}.db`));
  };
  const open = async (engine: Engine): Promise<Database> => {
    const database = await openDatabase(engine);
    opened.push(database);
    return database;
  };

  const mail = (text: string) => ({
    userId: null,
    maskId: null,
    envelopeSender: "",
    recipient: "owner@example.org",
    content: Buffer.from(`Subject: ${text}\r\n\r\n\u0000${text}\r\n`),
  });

  /** Creates a store with a user, a mask, a notification and three waiting mails, two of them leased. */
  const fill = async (database: Database): Promise<void> => {
    const { db } = database;
    const owner = await addOwner(db);
    await addMask(db, owner);
    await database.transaction((on) =>
      addNotification(on, { userId: owner.id, type: "info", priority: "normal", message: "Grüße" }, now),
    );
    for (const text of ["one", "two", "three"])
      await enqueue(db, mail(text), { now: now - 1, random: cryptoRandom });
    await leaseDueMails(database, { count: 2, lease: "a process", now });
  };

  const contents = async ({ db }: Database) => ({
    users: await db.selectFrom("users").selectAll().execute(),
    masks: await db.selectFrom("masks").selectAll().execute(),
    addresses: await db.selectFrom("mask_addresses").selectAll().execute(),
    notifications: await db.selectFrom("notifications").select(["message", "created_at"]).execute(),
    mails: (await db.selectFrom("queue").select(["id", "content"]).orderBy("id").execute()).map(
      ({ id, content }) => [id, Buffer.from(content ?? []).toString()],
    ),
  });

  const backUp = (database: Database, to: string) => writeBackup({ database, dataDir: folder(), to, now });

  for (const from of kinds)
    for (const to of kinds)
      it(`of ${from} restores everything into ${to}, and makes its waiting mails due at once`, async function () {
        if ((from === "PostgreSQL" || to === "PostgreSQL") && !hasPostgresql())
          skipWithout(this, "PostgreSQL");
        const source = await open((await newEngine(from, "source"))());
        await fill(source);
        const file = join(folder(), "backup.gz");
        const written = await backUp(source, file);
        const target = await newEngine(to, "target");
        const restored = await restoreFrom(file, { engine: target(), dataDir: null });
        expect(restored).to.deep.equal(written);
        const database = await open(target());
        expect(await contents(database)).to.deep.equal(await contents(source));
        const due = await leaseDueMails(database, { count: 9, lease: "another", now });
        expect(due).to.have.lengthOf(3);
        const [owner] = await database.db.selectFrom("users").select("id").execute();
        const next = { userId: owner?.id ?? "", type: "info", priority: "normal", message: "next" } as const;
        const before = await database.db.selectFrom("notifications").select("id").executeTakeFirstOrThrow();
        expect(await database.transaction((on) => addNotification(on, next, now))).to.be.greaterThan(
          before.id,
        );
      });

  it("is a consistent snapshot: a concurrent transaction is in it completely or not at all", async () => {
    const source = await open((await newEngine("SQLite", "source"))());
    const writer = await open(sqliteEngine(join(folder(), "source.db")));
    await fill(source);
    const file = join(folder(), "backup.gz");
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        await writer.transaction(async (db) => {
          const owner = await addOwner(db);
          await addMask(db, owner);
        });
        await setImmediate();
      }
    })();
    await backUp(source, file);
    isWriting = false;
    await writing;
    const target = await newEngine("SQLite", "target");
    const { tables } = await restoreFrom(file, { engine: target(), dataDir: null });
    expect(tables["users"]).to.equal(tables["masks"]);
  });

  it("contains the encrypted keys, which only their owner can read before and after", async () => {
    const database = await open((await newEngine("SQLite", "source"))());
    const keys = openSecrets(folder());
    const file = join(folder(), "backup.gz");
    expect((await backUp(database, file)).files).to.equal(3);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const dataDir = join(folder(), "restored");
    const target = await newEngine("SQLite", "target");
    await restoreFrom(file, { engine: target(), dataDir });
    expect(openSecrets(dataDir)).to.deep.equal(keys);
    expect((await stat(join(dataDir, "sealing.key"))).mode & 0o777).to.equal(0o600);
  });

  describe("that is damaged", () => {
    let file: string;
    let target: () => Engine;
    beforeEach(async () => {
      const database = await open((await newEngine("SQLite", "source"))());
      await fill(database);
      file = join(folder(), "backup.gz");
      await backUp(database, file);
      target = await newEngine("SQLite", "target");
    });
    const restore = () =>
      restoreFrom(file, { engine: target(), dataDir: null }).then(
        () => "restored",
        (error: Error) => error.message,
      );

    it("is refused when it is truncated, and leaves the database empty", async () => {
      await truncate(file, (await stat(file)).size - 100);
      expect(await restore()).to.match(/damaged/);
      expect((await contents(await open(target()))).users).to.deep.equal([]);
    });

    it("is refused when a row or the end marker is missing", async () => {
      const lines = gunzipSync(await readFile(file))
        .toString()
        .split("\n");
      const without = (index: number) => gzipSync(lines.toSpliced(index, 1).join("\n"));
      const rowIndex = lines.findLastIndex((line) => line.startsWith('{"row"'));
      await writeFile(file, without(rowIndex));
      expect(await restore()).to.equal("rows or files are missing");
      await writeFile(file, without(lines.length - 2));
      expect(await restore()).to.equal("the backup is not complete: its end is missing");
    });

    it("is refused when the file is not a backup or does not exist", async () => {
      await writeFile(file, "text");
      expect(await restore()).to.equal("the file is damaged or not a backup");
      await writeFile(file, gzipSync('{"row":[]}\n'));
      expect(await restore()).to.equal("the file is not a backup");
      file = join(folder(), "nowhere.gz");
      expect(await restore()).to.equal("there is no such file");
    });

    for (const kind of kinds)
      it(`takes back what it has written to ${kind} and the data folder when it fails`, async function () {
        if (kind === "PostgreSQL" && !hasPostgresql()) skipWithout(this, "PostgreSQL");
        const url = kind === "PostgreSQL" ? await newEmptyPostgresqlDatabase() : "";
        const engine = () =>
          url === "" ? sqliteEngine(join(folder(), "failed.db")) : connectPostgresql(url);
        const whole = await readFile(file);
        const lines = gunzipSync(await readFile(file))
          .toString()
          .trimEnd()
          .split("\n");
        const line = JSON.stringify({ file: "outbox/one.eml", content: "" });
        await writeFile(file, gzipSync(lines.toSpliced(1, 0, line).slice(0, -1).join("\n")));
        const dataDir = join(folder(), "restored");
        await mkdir(dataDir);
        await writeFile(join(dataDir, "mine"), "");
        const refused = restoreFrom(file, { engine: engine(), dataDir });
        expect(await refused.catch((error: Error) => error.message)).to.contain("its end is missing");
        expect(await readdir(dataDir)).to.deep.equal(["mine"]);
        const db = new Kysely({ dialect: engine().dialect });
        expect(await db.introspection.getTables({ withInternalKyselyTables: true })).to.deep.equal([]);
        await db.destroy();
        await writeFile(file, whole);
        expect((await restoreFrom(file, { engine: engine(), dataDir })).tables).to.include({ users: 1 });
      });

    it("cannot write a file outside the data folder", async () => {
      const lines = gunzipSync(await readFile(file))
        .toString()
        .split("\n");
      for (const evil of ["outbox/../../evil.key", "outbox/.."]) {
        const line = JSON.stringify({ file: evil, content: "" });
        await writeFile(file, gzipSync(lines.toSpliced(1, 0, line).join("\n")));
        const refused = restoreFrom(file, { engine: target(), dataDir: folder() });
        expect(await refused.catch((error: Error) => error.message)).to.contain("it contains the file");
      }
    });

    it("is not restored into a database that has accounts", async () => {
      const database = await open(target());
      await addOwner(database.db);
      expect(await restore()).to.contain("has accounts already");
    });
  });
});
