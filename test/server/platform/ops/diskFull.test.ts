import { expect } from "chai";
import { sql } from "kysely";
import type { Database } from "../../../../server/platform/store/database.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { startServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const letter = `From: Shop <orders@shop.example>\r\nSubject: Hello\r\n\r\n${"Hello.\r\n".repeat(1_000)}`;

/** Leaves no room in the database: SQLite may not grow, PostgreSQL reports a full disk for the table. */
const fill = async ({ db, engine }: Database, table: string): Promise<void> => {
  if (engine.name === "sqlite") {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(db);
    return;
  }
  await sql`create function no_room() returns trigger as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$ language plpgsql`.execute(
    db,
  );
  await sql
    .raw(`create trigger full_disk before insert or update on ${table} execute function no_room()`)
    .execute(db);
};

const free = async ({ db, engine }: Database, table: string): Promise<void> => {
  if (engine.name === "sqlite") await sql`pragma max_page_count = 1000000`.execute(db);
  else await sql.raw(`drop trigger full_disk on ${table}`).execute(db);
};

describe("A full disk", () => {
  onEachDatabase(({ database }) => {
    it("is answered 452 4.3.1 to senders, nothing of those mails is kept, and mail is taken once there is room", async () => {
      const mask = await addMask(database().db, await addOwner(database().db, "self_hosted"));
      const relay = await startListener(database());
      const client = await relay.connect();
      const send = () => client.mail("orders@shop.example", [mask.email], letter);
      expect(await send()).to.match(/^250/);
      await fill(database(), "queue");
      const answers: string[] = [];
      for (let tries = 0; tries < 50; tries += 1) answers.push(await send());
      const taken = answers.filter((answer) => answer.startsWith("250")).length;
      expect(answers.filter((answer) => /^452 4\.3\.1 /.test(answer)).length).to.equal(50 - taken);
      expect(taken).to.be.below(10);
      await free(database(), "queue");
      expect(await send()).to.match(/^250/);
      const stored = await database()
        .db.selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select("id")
        .execute();
      const usage = await database()
        .db.selectFrom("monthly_usage")
        .where("user_id", "!=", bystander.id)
        .select("received")
        .executeTakeFirstOrThrow();
      expect([stored.length, usage.received]).to.deep.equal([taken + 2, taken + 2]);
      await relay.close();
    });
  });

  for (const store of everyStore)
    describe(`of ${store.name}`, () => {
      before(requireStore(store));
      it("is answered 507 to calls that write, with a sentence, and calls that read work", async () => {
        const server = await startServer({ store, defaultTier: "self_hosted" });
        const user = await server.signIn("owner@example.org");
        const create = (note: string) =>
          user.call("POST", "/masks", {
            body: { description: note, forwardTo: "owner@example.org", note: note.padEnd(1_000, ".") },
          });
        const first = await create("first");
        expect(first.status, first.text).to.be.within(200, 201);
        await fill(server.database, "masks");
        const answers = [];
        for (let tries = 0; tries < 20; tries += 1) answers.push(await create(`no ${tries}`));
        const refused = answers.filter(({ status }) => status > 201);
        expect(refused.length).to.be.above(10);
        for (const { status, json } of refused)
          expect([status, json]).to.deep.equal([
            507,
            {
              message:
                "There is no room left on the server's disk, so nothing was saved. Ask the operator to free some, then try again.",
            },
          ]);
        const list = await user.call("GET", "/masks");
        expect(list.status).to.equal(200);
        await free(server.database, "masks");
        expect((await create("last")).status).to.be.within(200, 201);
        await server.stop();
      });
    });
});
