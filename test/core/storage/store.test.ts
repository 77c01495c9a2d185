import { expect } from "chai";
import fc from "fast-check";
import * as t from "io-ts";
import { createCache } from "../../../core/storage/cache.ts";
import { createStore, json, plainText, timestamp } from "../../../core/storage/store.ts";
import { removedAtLogout, storedKeys, userDataInTab } from "../../../core/storage/storedKeys.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { createVirtualClock, startsAt } from "../../fakes/virtualClock.ts";

const shape = json(t.type({ name: t.string, size: t.number }));

describe("The table of stored keys", () => {
  it("has the names of the specification", () => {
    expect(Object.values(storedKeys).map(({ name }) => name)).to.include.members([
      "authToken",
      "userEmail",
      "userData",
      "tokenExpiry",
      "lastValidated",
      "lastLoginTime",
      "theme",
    ]);
  });

  it("names each key once", () => {
    const names = Object.values(storedKeys).map(({ name }) => name);
    expect(new Set(names)).to.have.property("size", names.length);
  });

  it("keeps only the theme, a sign-in code in progress and an owed logout at logout", () => {
    const stored = Object.values(storedKeys).filter((key) => !removedAtLogout.includes(key));
    expect(stored).to.deep.equal([storedKeys.pendingSignIn, storedKeys.owedLogout, storedKeys.theme]);
  });

  it("keeps masks fresh for 120 s and the account for 300 s", () => {
    expect(storedKeys.cachedMasks.freshForMs).to.equal(120_000);
    expect(storedKeys.cachedAccount.freshForMs).to.equal(300_000);
  });

  it("contains the lease that tabs use in browsers without locks, and a logout removes it too", () => {
    expect(removedAtLogout).to.include(storedKeys.refreshLease);
  });
});

describe("A stored value", () => {
  it("round-trips as text, a time or an object", () => {
    const storage = createMemoryStorage();
    const store = createStore(storage);
    const text = store.get(storedKeys.authToken, plainText);
    const time = store.get(storedKeys.tokenExpiry, timestamp);
    const thing = store.get(storedKeys.userData, shape);
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat(),
        fc.record({ name: fc.string(), size: fc.integer() }),
        (a, b, c) => {
          expect([text.write(a), time.write(b), thing.write(c)]).to.deep.equal([true, true, true]);
          expect([text.read(), time.read(), thing.read()]).to.deep.equal([a, b, c]);
        },
      ),
    );
  });

  it("is stored as plain text where the specification's readers expect that", () => {
    const storage = createMemoryStorage();
    const store = createStore(storage);
    store.get(storedKeys.authToken, plainText).write("a.b.c");
    store.get(storedKeys.tokenExpiry, timestamp).write(1_800_000_000_000);
    expect(storage.local.read("authToken")).to.equal("a.b.c");
    expect(storage.local.read("tokenExpiry")).to.equal("1800000000000");
  });

  it("that is unreadable counts as absent and is removed", () => {
    const storage = createMemoryStorage();
    const store = createStore(storage);
    for (const [key, codec, rubbish] of [
      [storedKeys.userData, shape, "{"],
      [storedKeys.userData, shape, '{"name":1,"size":2}'],
      [storedKeys.tokenExpiry, timestamp, "tomorrow"],
      [storedKeys.tokenExpiry, timestamp, "-1"],
      [storedKeys.authToken, plainText, ""],
    ] as const) {
      storage.local.write(key.name, rubbish);
      expect(store.get<unknown>(key, codec as never).read(), rubbish).to.equal(null);
      expect(storage.local.keys(), rubbish).to.deep.equal([]);
    }
  });

  it("may be limited to the tab", () => {
    const storage = createMemoryStorage();
    createStore(storage).get(userDataInTab("mine"), plainText).write("ada");
    expect(storage.tab.read("mine")).to.equal("ada");
    expect(storage.local.keys()).to.deep.equal([]);
  });

  it("reports when it exceeds the quota", () => {
    const store = createStore(createMemoryStorage(20));
    expect(store.get(storedKeys.authToken, plainText).write("x".repeat(12))).to.equal(false);
  });

  it("follows changes by another tab", () => {
    const storage = createMemoryStorage();
    const elsewhere = storage.openTab();
    const seen: unknown[] = [];
    createStore(storage)
      .get(storedKeys.tokenExpiry, timestamp)
      .changes$.subscribe((value) => seen.push(value));
    elsewhere.local.write("tokenExpiry", "7");
    elsewhere.local.write("theme", "dark");
    elsewhere.local.write("tokenExpiry", "rubbish");
    elsewhere.local.remove("tokenExpiry");
    expect(seen).to.deep.equal([7, null, null]);
  });
});

describe("A cache", () => {
  const cacheOn = (capacity?: number) => {
    const clock = createVirtualClock();
    const storage = createMemoryStorage(capacity);
    return {
      clock,
      storage,
      cache: createCache(createStore(storage), clock, storedKeys.cachedMasks, t.array(t.string)),
    };
  };

  it("is fresh for its lifetime, and readable after it", async () => {
    const { cache, clock } = cacheOn();
    cache.write("ada", ["a"]);
    await clock.advance(119_999);
    expect(cache.read("ada")).to.deep.equal({ value: ["a"], isFresh: true, savedAt: startsAt });
    await clock.advance(1);
    expect(cache.read("ada")).to.deep.equal({ value: ["a"], isFresh: false, savedAt: startsAt });
  });

  it("is not readable by another user", () => {
    const { cache } = cacheOn();
    cache.write("ada", ["a"]);
    expect(cache.read("bob")).to.equal(null);
  });

  it("is emptied rather than left outdated when a new value exceeds the quota", () => {
    const { cache, storage } = cacheOn(100);
    cache.write("ada", ["a"]);
    cache.write("ada", ["x".repeat(200)]);
    expect(storage.local.keys()).to.deep.equal([]);
  });
});
