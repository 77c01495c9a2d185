import { expect } from "chai";
import type { Database } from "../../../../server/platform/store/database.ts";
import { appendEvent } from "../../../../server/platform/store/events.ts";
import { createUserCache } from "../../../../server/platform/store/userCache.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`A value cached for a user, on ${store.name}`, () => {
    let database: Database;
    let reads = 0;

    before(requireStore(store));
    beforeEach(async () => {
      database = await store.open();
      reads = 0;
    });
    afterEach(() => database?.close());

    const cacheOf = (maxWeight = 10, resource?: string) =>
      createUserCache<string>(database, {
        maxWeight,
        weightOf: (value) => value.length,
        ...(resource === undefined ? {} : { resource }),
      });
    const read = (cache: ReturnType<typeof cacheOf>, userId: string, key = userId) =>
      cache.get(key, async () => {
        reads += 1;
        return { userId, value: `${userId}${reads}` };
      });
    const change = (userId: string, resource = "masks") =>
      appendEvent(database.db, { userId, resource, resourceId: null, action: "updated" }, 0);

    it("is read again after each committed change of that user, never later", async () => {
      const cache = cacheOf();
      for (let n = 1; n <= 3; n += 1) {
        expect(await read(cache, "a")).to.equal(`a${n}`);
        await new Promise((resolve) => setImmediate(resolve));
        await change("a");
        await new Promise((resolve) => setImmediate(resolve));
      }
    });

    if (store.name === "SQLite")
      it("is kept through changes of other users and of other resources", async () => {
        const cache = cacheOf(10, "session");
        await read(cache, "a");
        for (const userId of ["b", "c"]) await change(userId, "session");
        await change("a", "masks");
        await new Promise((resolve) => setImmediate(resolve));
        expect(await read(cache, "a")).to.equal("a1");
      });

    it("makes room for another one, the least recently used first", async () => {
      const cache = cacheOf(4);
      await read(cache, "a");
      await read(cache, "b");
      await read(cache, "a");
      await read(cache, "c");
      await read(cache, "b");
      expect(reads).to.equal(store.name === "SQLite" ? 4 : 5);
    });

    it("is not kept when there is none", async () => {
      const cache = cacheOf();
      expect(await cache.get("a", async () => undefined)).to.equal(undefined);
      expect(await read(cache, "a")).to.equal("a1");
    });
  });
