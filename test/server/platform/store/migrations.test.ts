import { join } from "node:path";
import { expect } from "chai";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { addNotification } from "../../../../server/features/notifications/notificationQueries.ts";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { start } from "../../../../server/platform/store/earlierSchemas/firstTables.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import type { Tables } from "../../../../server/platform/store/tables.ts";
import { addOwner } from "../../support/owners.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

describe("A store from before the migrations", () => {
  const folder = useTemporaryFolder();
  const file = (): string => join(folder(), "bauta.db");

  /** Creates a store of the first version, with one user, their notifications and their session. */
  const leaveOldStore = async (): Promise<void> => {
    const engine = sqliteEngine(file());
    const db = new Kysely<Tables>({ dialect: engine.dialect });
    const provider = { getMigrations: async () => ({ "2026_11_20_start": start(engine) }) };
    await new Migrator({ db, provider }).migrateToLatest();
    const { id: user_id } = await addOwner(db);
    for (const message of ["First", "Second"])
      await db
        .insertInto("notifications")
        .values({ user_id, type: "info", priority: "normal", message, created_at: 1, read_at: null })
        .execute();
    await db
      .insertInto("sessions")
      .values({
        id: "session",
        user_id,
        secret_hash: "hash",
        user_agent: "",
        created_at: 1,
        last_used_at: 1,
        expires_at: 2,
      } as never)
      .execute();
    await db.destroy();
  };

  it("keeps its data, and continues the numbering of notifications", async () => {
    await leaveOldStore();
    const database = await openDatabase(sqliteEngine(file()));
    const { db } = database;
    const before = await db.selectFrom("notifications").selectAll().orderBy("id").execute();
    expect(before.map(({ id, message }) => [id, message])).to.deep.equal([
      [1, "First"],
      [2, "Second"],
    ]);
    const session = await db.selectFrom("sessions").selectAll().executeTakeFirstOrThrow();
    expect(session).to.include({ secret_hash: "hash", previous_hash: null, secret_seen: 1 });

    await db.deleteFrom("notifications").execute();
    const userId = before[0]?.user_id ?? "";
    const next = { userId, type: "info", priority: "normal", message: "Third" } as const;
    expect(await database.transaction((on) => addNotification(on, next, 1))).to.equal(3);
    await database.close();
  });

  it("is unchanged when it is opened again", async () => {
    for (const _ of [1, 2, 3]) await (await openDatabase(sqliteEngine(file()))).close();
  });
});
