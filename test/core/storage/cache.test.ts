import { expect } from "chai";
import * as E from "fp-ts/lib/Either.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { type Failure, network, refused } from "../../../core/kernel/failure.ts";
import { Resource } from "../../../core/kernel/resource.ts";
import { createCache } from "../../../core/storage/cache.ts";
import { createStore } from "../../../core/storage/store.ts";
import { lifetimesMs, type StoredKey } from "../../../core/storage/storedKeys.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";

describe("The cache lifetimes", () => {
  it("match the specification, in milliseconds", () => {
    expect(lifetimesMs).to.deep.equal({
      short: 60_000,
      medium: 300_000,
      long: 1_800_000,
      account: 300_000,
      masks: 120_000,
      rules: 120_000,
      insights: 600_000,
      aiPreferences: 900_000,
    });
  });
});

const setUp = (key: StoredKey = { name: "kept", place: "local" }) => {
  const clock = createVirtualClock();
  const storage = createMemoryStorage();
  let answer: E.Either<Failure, string> = E.right("first");
  let requestCount = 0;
  const resource = new Resource<string | null>({
    initial: null,
    fetch: () => {
      requestCount += 1;
      return TE.fromEither(answer)();
    },
    cache: createCache(createStore(storage), clock, key, t.string),
  });
  /** Opens the resource as a page does that sends a request only without a fresh cache. */
  const visit = async (): Promise<unknown> => {
    resource.setOwner("ada");
    if (!resource.state$.value.isFromCache) await resource.load();
    return shown();
  };
  const shown = () => [resource.state$.value.status, resource.state$.value.value];
  return {
    clock,
    storage,
    resource,
    visit,
    shown,
    requestCount: () => requestCount,
    answerWith: (next: E.Either<Failure, string>) => {
      answer = next;
    },
  };
};

describe("A resource with a cache", () => {
  it("is read from the cache for exactly 60 s", async () => {
    const { visit, requestCount, clock, answerWith } = setUp();
    expect(await visit()).to.deep.equal(["ready", "first"]);
    answerWith(E.right("second"));
    await clock.advance(59_999);
    expect(await visit()).to.deep.equal(["ready", "first"]);
    await clock.advance(1);
    expect(await visit()).to.deep.equal(["ready", "second"]);
    expect(requestCount()).to.equal(2);
  });

  it("is read from the cache for the lifetime of its key", async () => {
    const { visit, requestCount, clock } = setUp({
      name: "kept",
      place: "local",
      freshForMs: lifetimesMs.insights,
    });
    await visit();
    await clock.advance(599_999);
    await visit();
    expect(requestCount()).to.equal(1);
    await clock.advance(1);
    await visit();
    expect(requestCount()).to.equal(2);
  });

  it("sends a request on a forced refresh", async () => {
    const { resource, visit, shown, answerWith } = setUp();
    await visit();
    answerWith(E.right("second"));
    await resource.load();
    expect(shown()).to.deep.equal(["ready", "second"]);
    expect(await visit()).to.deep.equal(["ready", "second"]);
  });

  for (const failure of [network("gone"), refused(503), refused(404)])
    it(`falls back on the cache, of any age, after ${JSON.stringify(failure)}`, async () => {
      const { visit, clock, answerWith } = setUp();
      await visit();
      await clock.advance(86_400_000);
      answerWith(E.left(failure));
      expect(await visit()).to.deep.equal(["stale", "first"]);
    });

  it("fails where the cache is empty", async () => {
    const { resource, visit, answerWith } = setUp();
    answerWith(E.left(network("gone")));
    expect(await visit()).to.deep.equal(["failed", null]);
    expect(await resource.load()).to.deep.equal(E.left(network("gone")));
  });

  it("caches nothing for a user who has logged out meanwhile, and shows the next one none of it", async () => {
    const { resource, storage, visit, shown, answerWith } = setUp();
    const asking = visit();
    resource.setOwner(null);
    await asking;
    expect(shown()).to.deep.equal(["loading", null]);
    expect(storage.local.keys()).to.deep.equal([]);
    await visit();
    resource.setOwner("bob");
    answerWith(E.left(network("gone")));
    await resource.load();
    expect(shown()).to.deep.equal(["failed", null]);
  });
});
