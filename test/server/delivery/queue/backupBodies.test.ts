import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect } from "chai";
import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { contentOf, toBuffer } from "../../../../server/delivery/outgoingCopy.ts";
import { createBackupBodies, moveBodiesToRows } from "../../../../server/delivery/queue/backupBodies.ts";
import type { BodyStore } from "../../../../server/delivery/queue/bodyStore.ts";
import { createFileBodies } from "../../../../server/delivery/queue/fileBodies.ts";
import { createObjectBodies } from "../../../../server/delivery/queue/objectBodies.ts";
import { findQueuedCopy } from "../../../../server/delivery/queue/queuedContent.ts";
import { prepareRestoredQueue, type QueuedMail } from "../../../../server/delivery/queue/queueQueries.ts";
import { rowBodies } from "../../../../server/delivery/queue/rowBodies.ts";
import { openBackup } from "../../../../server/platform/backup/readBackup.ts";
import { restoreBackup } from "../../../../server/platform/backup/restoreBackup.ts";
import { type ReplaceRow, writeBackup } from "../../../../server/platform/backup/writeBackup.ts";
import { S3Client } from "../../../../server/platform/objects/s3Client.ts";
import { createSpool, type SpoolFolder } from "../../../../server/platform/spool/spoolFile.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { skipWithout } from "../../../support/missing.ts";
import { bystander } from "../../support/bystander.ts";
import { usePostgresql, useSqlite } from "../../support/databases.ts";
import { silent } from "../../support/listener.ts";
import { useObjectServer } from "../../support/objectServer.ts";
import { connectPostgresql, hasPostgresql, newEmptyPostgresqlDatabase } from "../../support/postgresql.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { arrive, queueCopies } from "./bodyStoreContract.ts";

const now = Date.parse("2026-11-22T10:00:00Z");
const sizes = [10_000, 100_000, 600_000];

describe("A backup of queued mail", () => {
  const folder = useTemporaryFolder();
  const opened: Database[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  const queueAll = async (database: Database, spool: SpoolFolder, bodies: BodyStore) => {
    const mails: { readonly mail: QueuedMail; readonly content: Buffer }[] = [];
    for (const size of sizes) {
      const bytes = randomBytes(size);
      const content = size > 256 * 1024 ? await arrive(spool, bytes) : contentOf(bytes);
      const copy = {
        recipient: "me@home.example",
        head: Buffer.from("X: y\r\n"),
        body: { content, skip: 100 },
      };
      const [mail] = await queueCopies({ database, bodies }, [copy]);
      if (mail) mails.push({ mail, content: Buffer.concat([copy.head, bytes.subarray(100)]) });
    }
    return mails;
  };
  const backUp = async (database: Database, replaceRow?: ReplaceRow): Promise<string> => {
    const to = join(folder(), "backup.gz");
    await writeBackup({ database, dataDir: folder(), to, now, replaceRow });
    return to;
  };
  const restore = async (file: string, engine: () => Engine): Promise<Database> => {
    using from = openBackup(file);
    const dataDir = join(folder(), "restored");
    await restoreBackup({
      from,
      engine: engine(),
      dataDir,
      afterRestore: async (db) => {
        await moveBodiesToRows(
          db,
          createFileBodies(
            { db, transaction: (work) => db.transaction().execute(work) },
            createSpool(dataDir, true),
          ),
        );
        await prepareRestoredQueue(db, now);
      },
    });
    const database = await openDatabase(engine());
    opened.push(database);
    return database;
  };
  const expectAll = async (
    database: Database,
    mails: Awaited<ReturnType<typeof queueAll>>,
  ): Promise<void> => {
    for (const { mail, content } of mails) {
      const read = await findQueuedCopy(database.db, rowBodies, mail);
      expect(read && (await toBuffer(read())).equals(content)).to.equal(true);
    }
  };

  describe("in an object store", () => {
    const { database } = usePostgresql();
    const store = useObjectServer();
    const createBodies = () =>
      createObjectBodies({
        objects: new S3Client(store().place),
        onDamaged: () => {},
        database: database(),
        clock: systemClock,
        log: silent,
      });

    it("has its content, and can be restored where there is no object store", async () => {
      const bodies = createBodies();
      const mails = await queueAll(database(), createSpool(folder(), false), bodies);
      expect(store().objects.size).to.equal(2);
      const { replaceRow, missing } = createBackupBodies(bodies);
      const file = await backUp(database(), replaceRow);
      expect(missing()).to.equal(0);
      await expectAll(await restore(file, () => sqliteEngine(join(folder(), "restored.db"))), mails);
    });

    it("is complete without what was delivered meanwhile, which is not sent again", async () => {
      const bodies = createBodies();
      await queueAll(database(), createSpool(folder(), false), bodies);
      store().objects.clear();
      const { replaceRow, missing } = createBackupBodies(bodies);
      const file = await backUp(database(), replaceRow);
      expect(missing()).to.equal(2);
      const restored = await restore(file, () => sqliteEngine(join(folder(), "restored.db")));
      const rows = await restored.db
        .selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select(["status", "size"])
        .orderBy("size")
        .execute();
      expect(rows.map(({ status }) => status)).to.deep.equal(["waiting", "failed", "failed"]);
    });

    it("is not made while the object store cannot be read", async () => {
      const bodies = createBodies();
      await queueAll(database(), createSpool(folder(), false), bodies);
      store().fault = "lost";
      const problem = await backUp(database(), createBackupBodies(bodies).replaceRow).then(
        () => "",
        (error: unknown) => String(error),
      );
      expect(problem).to.contain("The object store cannot be reached");
    });
  });

  describe("in files beside SQLite", () => {
    const { database } = useSqlite();
    before(function () {
      if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    });

    it("can be restored into PostgreSQL, whose processes share no files", async () => {
      const spool = createSpool(folder(), true);
      const mails = await queueAll(database(), spool, createFileBodies(database(), spool));
      const file = await backUp(database());
      const url = await newEmptyPostgresqlDatabase();
      await expectAll(await restore(file, () => connectPostgresql(url)), mails);
    });
  });
});
