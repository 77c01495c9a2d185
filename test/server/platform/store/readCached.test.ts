import { expect } from "chai";
import { sql } from "kysely";
import type { Database } from "../../../../server/platform/store/database.ts";
import { onEachDatabase } from "../../support/databases.ts";

const query = `
  select masks.email as email, masks.active as active, destinations.email as destination,
    (select count(*) from mask_senders where mask_senders.mask_id = masks.id) as senders
  from masks join destinations on destinations.id = masks.destination_id
  where masks.user_id = $1 order by masks.id`;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const addOwner = async ({ db }: Database, id: string): Promise<void> => {
  await sql`insert into users (id, email, email_key, tier, key_status, two_factor, mask_count, created_at)
    values (${id}, ${`${id}@real.example`}, ${`${id}@real.example`}, 'pro', 'not-configured', 0, 1, 1)`.execute(
    db,
  );
  await sql`insert into destinations (id, user_id, email, email_key, confirmed_at, created_at)
    values (${`d${id}`}, ${id}, ${`${id}@real.example`}, ${`${id}@real.example`}, 1, 1)`.execute(db);
  await sql`insert into masks (id, user_id, destination_id, email, description, active, spam_filter, rules, metadata,
      created_at, updated_at)
    values (${`m${id}`}, ${id}, ${`d${id}`}, ${`${id}@masks.example`}, '', 1, 0, '[]', '{}', 1, 1)`.execute(
    db,
  );
};

const rowsOf = ({ engine }: Database, id: string) => engine.readCached(query, [id]);

onEachDatabase((use) => {
  describe("Rows that are read often", () => {
    beforeEach(async () => {
      for (const id of ["a", "b"]) await addOwner(use.database(), id);
    });

    /** Changes of what the query reads, each in one statement. */
    const changes: Readonly<Record<string, (db: Database["db"]) => Promise<unknown>>> = {
      "an update": (db) => db.updateTable("masks").set({ active: 0 }).where("id", "=", "ma").execute(),
      "an update of a joined table": (db) =>
        db.updateTable("destinations").set({ email: "new@real.example" }).where("id", "=", "da").execute(),
      "an update that returns rows": (db) =>
        db
          .updateTable("masks")
          .set({ email: "new@masks.example" })
          .where("id", "=", "ma")
          .returning("id")
          .execute(),
      "a row in a subquery": (db) =>
        sql`insert into mask_senders (mask_id, sender_hash, sealed, list, created_at, user_id)
          values ('ma', 'x', 'x', 'block', 1, 'a')`.execute(db),
      "an upsert": (db) =>
        sql`insert into destinations (id, user_id, email, email_key, created_at)
          values ('da', 'a', 'a@real.example', 'a@real.example', 1)
          on conflict (id) do update set email = 'upsert@real.example'`.execute(db),
      "a deleted mask": (db) => db.deleteFrom("masks").where("id", "=", "ma").execute(),
      "a deleted owner": (db) => db.deleteFrom("users").where("id", "=", "a").execute(),
    };

    for (const [what, change] of Object.entries(changes)) {
      it(`are right at once after ${what}`, async () => {
        const database = use.database();
        const before = await rowsOf(database, "a");
        await change(database.db);
        const after = await rowsOf(database, "a");
        expect(after).to.deep.equal(await database.engine.read(query, ["a"]));
        expect(after).not.to.deep.equal(before);
      });

      it(`are right after ${what} by another process`, async () => {
        const database = use.database();
        const before = await rowsOf(database, "a");
        await change((await use.another()).db);
        await nextTurn();
        expect(await rowsOf(database, "a")).not.to.deep.equal(before);
      });
    }

    it("change with the commit of a transaction, not before it", async () => {
      const database = use.database();
      const before = await rowsOf(database, "a");
      await database.transaction(async (db) => {
        await changes["an update"]?.(db);
        await nextTurn();
        expect(await rowsOf(database, "a")).to.deep.equal(before);
      });
      expect(await rowsOf(database, "a")).not.to.deep.equal(before);
    });

    it("stay as they were when a transaction is rolled back", async () => {
      const database = use.database();
      const before = await rowsOf(database, "a");
      const failing = database.transaction(async (db) => {
        await changes["an update"]?.(db);
        await rowsOf(database, "a");
        throw new Error("rolled back");
      });
      await failing.catch(() => {});
      expect(await rowsOf(database, "a")).to.deep.equal(before);
    });

    it("are kept by SQLite while other things change", async () => {
      const database = use.database();
      const kept = await rowsOf(database, "a");
      await database.db.updateTable("masks").set({ note: "not read" }).where("id", "=", "ma").execute();
      await database.db.updateTable("users").set({ mask_count: 2 }).where("id", "=", "a").execute();
      await nextTurn();
      expect((await rowsOf(database, "a")) === kept).to.equal(database.engine.name === "sqlite");
    });

    it("are those of their own parameters", async () => {
      const database = use.database();
      expect(await rowsOf(database, "a")).not.to.deep.equal(await rowsOf(database, "b"));
      expect(await rowsOf(database, "nobody")).to.deep.equal([]);
    });
  });
});
