import { expect } from "chai";
import type { Engine } from "../../../../server/platform/store/engine.ts";
import { onEachDatabase } from "../../support/databases.ts";

onEachDatabase(({ database }) => {
  describe("Rows that one statement stores", () => {
    const store = {
      columns: { id: "text", part: "bigint", content: "bytea", file_key: "text" },
      text: (rows: string) =>
        `insert into bodies (id, part, content, file_key)
         select given.id, given.part, given.content, given.file_key from ${rows}`,
    } as const;
    const stored = async () => {
      const rows = await database().db.selectFrom("bodies").select(["id", "content"]).orderBy("id").execute();
      return rows.map(({ id, content }) => [id, content === null ? null : [...content]]);
    };
    const run = (rows: Parameters<Engine["runRows"]>[2]) =>
      database().transaction((db) => database().engine.runRows(db, store, rows));

    it("have their own binary content, which may be empty or missing", async () => {
      await run([
        ["a", 0, Uint8Array.of(0, 92, 255), null],
        ["b", 0, new Uint8Array(), null],
        ["c", 0, null, "file"],
        ["d", 0, Buffer.from("\\x00"), null],
      ]);
      expect(await stored()).to.deep.equal([
        ["a", [0, 92, 255]],
        ["b", []],
        ["c", null],
        ["d", [...Buffer.from("\\x00")]],
      ]);
    });

    it("may all be without content", async () => {
      await run([["c", 0, null, "file"]]);
      expect(await stored()).to.deep.equal([["c", null]]);
    });
  });
});
