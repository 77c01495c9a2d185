import { join } from "node:path";
import { expect } from "chai";
import { allowChangesOfAll, refuseBystander, takeSightings } from "../../../support/bystanderMarker.ts";
import { bystander } from "../../support/bystander.ts";
import { readOwnedRows } from "../../support/bystanderCheck.ts";
import { addOwner } from "../../support/owners.ts";
import { ownedTables, writeSqliteFile } from "../../support/sqliteTemplate.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";

describe("The bystander of every test database", () => {
  const folder = useTemporaryFolder();

  it("has a row in every table that belongs to users (add one to test/server/support/bystander.ts)", async () => {
    const file = join(folder(), "bauta.db");
    await writeSqliteFile(file);
    const rows = readOwnedRows(file, await ownedTables());
    expect([...rows.keys()]).to.include.members(["users", "masks", "log_steps", "api_token_networks"]);
    expect([...rows].filter(([, row]) => row === "").map(([table]) => table)).to.deep.equal([]);
  });

  it("is noticed wherever it is named, in whatever case", () => {
    refuseBystander("an answer", `{"email":"${bystander.email.toLowerCase()}"}`);
    expect(takeSightings()).to.have.lengthOf(1);
    refuseBystander("an answer", `{"email":"ada@home.example"}`);
    expect(takeSightings()).to.deep.equal([]);
  });

  for (const store of everyStore)
    describe(`on ${store.name}`, () => {
      before(requireStore(store));

      const messageOf = (closing: Promise<void>): Promise<string> =>
        closing.then(
          () => "",
          (error: Error) => error.message,
        );

      it("fails a test that changes a row of it", async () => {
        const database = await store.open();
        await database.db.updateTable("two_factors").set({ tries: 1 }).execute();
        expect(await messageOf(database.close())).to.contain("two_factors");
      });

      it("fails a test that deletes a row of it", async () => {
        const database = await store.open();
        await database.db.deleteFrom("sessions").execute();
        expect(await messageOf(database.close()))
          .to.contain("sessions")
          .and.to.contain("identity_sessions");
      });

      it("fails a test that adds a row to it", async () => {
        const database = await store.open();
        const label = { user_id: bystander.id, name: "New", name_key: "new", color: "gray" } as const;
        await database.db.insertInto("labels").values(label).execute();
        expect(await messageOf(database.close())).to.contain("labels");
      });

      it("lets a test do what it likes with its own rows, and the next one begins without these", async () => {
        for (const _ of [1, 2]) {
          const database = await store.open();
          await addOwner(database.db);
          const { count } = await database.db
            .selectFrom("users")
            .select(({ fn }) => fn.countAll().as("count"))
            .executeTakeFirstOrThrow();
          expect(Number(count)).to.equal(2);
          await database.db.deleteFrom("users").where("id", "!=", bystander.id).execute();
          await addOwner(database.db);
          expect(await messageOf(database.close())).to.equal("");
        }
      });

      it("lets a file of tests change a table that it names with its reason", async () => {
        const database = await store.open();
        await database.db.updateTable("suggestion_marks").set({ status: 2 }).execute();
        allowChangesOfAll("suggestion_marks", "this test changes them to show that it may");
        expect(await messageOf(database.close())).to.equal("");
      });
    });
});
