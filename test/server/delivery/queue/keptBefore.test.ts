import { join } from "node:path";
import { expect } from "chai";
import { Kysely, sql } from "kysely";
import {
  readArchivedBytes,
  readKeptCounts,
  recountKept,
} from "../../../../server/delivery/queue/keptBytes.ts";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { allMigrations } from "../../../../server/platform/store/migrations/migrations.ts";
import { migrateTo } from "../../../../server/platform/store/schema.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import type { Tables } from "../../../../server/platform/store/tables.ts";
import { skipWithout } from "../../../support/missing.ts";
import { connectPostgresql, hasPostgresql, newEmptyPostgresqlDatabase } from "../../support/postgresql.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

describe("A database from before kept mail was counted", () => {
  const folder = useTemporaryFolder();

  const countAll = async (connect: () => Engine): Promise<void> => {
    const old = connect();
    const db = new Kysely<Tables>({ dialect: old.dialect });
    await migrateTo(
      db,
      old,
      Object.keys(allMigrations(old)).filter((name) => name < "0026"),
    );
    await sql`insert into users (id, email, email_key, tier, key_status, two_factor, mask_count, created_at)
      values ('u', 'o@example.org', 'o@example.org', 'pro', 'configured', 0, 1, 7)`.execute(db);
    const queue = (
      id: string,
      status: string,
      size: number,
      userId: string | null = "u",
      lease: string | null = null,
    ) =>
      sql`insert into queue (id, user_id, envelope_sender, recipient, content, size, status, attempts, next_attempt_at,
          leased_until, created_at, lease)
        values (${id}, ${userId}, '', 'a@b.example', null, ${size}, ${status}, 1, 1, 0, 1, ${lease})`.execute(
        db,
      );
    await queue("a", "held", 1);
    await queue("b", "unsent", 2);
    await queue("c", "waiting", 4);
    await queue("d", "waiting", 8, "u", "a process");
    await queue("e", "waiting", 16, null);
    await queue("f", "delivered", 32);
    const content = Buffer.from("x");
    await sql`insert into archived_mails (user_id, id, mask_id, content, size, read, created_at)
      values ('u', 'a', 'm', ${content}, 64, 0, 1)`.execute(db);
    await sql`insert into digest_mails (user_id, id, mask_id, recipient, content, size, created_at)
      values ('u', 'a', 'm', 'a@b.example', ${content}, 128, 1)`.execute(db);
    await db.destroy();

    const database = await openDatabase(connect());
    try {
      const expected = { ofAccount: 1 + 2 + 4 + 64 + 128, ofNetworkInAccount: 0, ofNetwork: 0 };
      const counts = () => readKeptCounts(database, { userId: "u", network: null });
      expect(await counts()).to.deep.equal(expected);
      expect(await readArchivedBytes(database.db, "u")).to.equal(64);
      await recountKept(database.db, 1, database.engine);
      expect(await counts()).to.deep.equal(expected);
    } finally {
      await database.close();
    }
  };

  it("counts what it has on SQLite", () => countAll(() => sqliteEngine(join(folder(), "bauta.db"))));

  it("counts what it has on PostgreSQL", async function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
    const url = await newEmptyPostgresqlDatabase();
    await countAll(() => connectPostgresql(url));
  });
});
