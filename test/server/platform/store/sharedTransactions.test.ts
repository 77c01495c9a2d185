import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { CompiledQuery } from "kysely";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { appendEvent } from "../../../../server/platform/store/events.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";

describe("Transactions of several callers at once, on SQLite", () => {
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "bauta-shared-"));
    database = await openDatabase(sqliteEngine(join(folder, "bauta.sqlite")));
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const add = (action: string, fails = false): Promise<string> =>
    database.transaction(async (db) => {
      await appendEvent(db, { userId: "u", resource: "masks", resourceId: null, action }, 0);
      if (fails) throw new Error(`${action} failed`);
      return action;
    });
  const stored = async (): Promise<readonly string[]> =>
    (await database.db.selectFrom("events").select("action").orderBy("id").execute()).map(
      ({ action }) => action,
    );
  const outcomes = async (all: readonly Promise<string>[]): Promise<readonly string[]> =>
    (await Promise.allSettled(all)).map((one) =>
      one.status === "fulfilled" ? one.value : String((one.reason as Error).message),
    );

  it("store the work of each in the order of the calls, and nothing of one that fails", async () => {
    const names = Array.from({ length: 200 }, (_, n) => `e${n}`);
    const isFailing = (n: number): boolean => n % 7 === 3;
    const told = await outcomes(names.map((name, n) => add(name, isFailing(n))));
    expect(told).to.deep.equal(names.map((name, n) => (isFailing(n) ? `${name} failed` : name)));
    expect(await stored()).to.deep.equal(names.filter((_, n) => !isFailing(n)));
  });

  it("share commits: the log of the database grows by a fraction of what single ones write", async () => {
    const changes = async (run: () => Promise<unknown>): Promise<number> => {
      const frames = async (): Promise<number> => {
        const { rows } = await database.db.executeQuery<{ log: number }>(
          CompiledQuery.raw("pragma wal_checkpoint(passive)"),
        );
        return rows[0]?.log ?? 0;
      };
      await database.db.executeQuery(CompiledQuery.raw("pragma wal_checkpoint(truncate)"));
      await run();
      return frames();
    };
    const one = await changes(async () => {
      for (let n = 0; n < 50; n += 1) await add(`single${n}`);
    });
    const together = await changes(() => Promise.all(Array.from({ length: 50 }, (_, n) => add(`all${n}`))));
    expect(together).to.be.lessThan(one / 5);
  });

  it("all fail when an error ends the transaction, and the next ones work again", async () => {
    const end = database.transaction(async (db) => {
      await db.executeQuery(CompiledQuery.raw("rollback"));
      throw new Error("the disk is full");
    });
    const all = await outcomes([add("before"), end as Promise<string>, add("after")]);
    expect(all.filter((one) => one === "before" || one === "after")).to.deep.equal([]);
    expect(await stored()).to.deep.equal([]);
    expect(await add("again")).to.equal("again");
    expect(await stored()).to.deep.equal(["again"]);
  });
});
