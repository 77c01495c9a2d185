import { expect } from "chai";
import * as E from "fp-ts/lib/Either.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { type Failure, network, refused } from "../../../core/kernel/failure.ts";
import { type CachedQuery, createCache, getCached, refetch } from "../../../core/storage/cache.ts";
import { createStore } from "../../../core/storage/store.ts";
import { lifetimesMs, type StoredKey } from "../../../core/storage/storedKeys.ts";
import { createMemoryStorage } from "../../fakes/memoryStorage.ts";
import { createVirtualClock } from "../../fakes/virtualClock.ts";

describe("The lifetimes of what is kept", () => {
  it("are the specification's, in milliseconds", () => {
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
  let owner: string | null = "ada";
  let answer: E.Either<Failure, string> = E.right("first");
  let asked = 0;
  const request: TE.TaskEither<Failure, string> = () => {
    asked += 1;
    return TE.fromEither(answer)();
  };
  const get: CachedQuery<string> = {
    cache: createCache(createStore(storage), clock, key, t.string),
    owner: () => owner,
    request,
  };
  return {
    clock,
    storage,
    get,
    asked: () => asked,
    be: (who: string | null) => {
      owner = who;
    },
    answerWith: (next: E.Either<Failure, string>) => {
      answer = next;
    },
  };
};

const fresh = (value: string) => E.right({ value, isStale: false });
const old = (value: string) => E.right({ value, isStale: true });

describe("A cached GET", () => {
  it("is answered from what is kept for 60 s, to the millisecond", async () => {
    const { get, asked, clock, answerWith } = setUp();
    expect(await getCached(get)()).to.deep.equal(fresh("first"));
    answerWith(E.right("second"));
    await clock.advance(59_999);
    expect(await getCached(get)()).to.deep.equal(fresh("first"));
    await clock.advance(1);
    expect(await getCached(get)()).to.deep.equal(fresh("second"));
    expect(asked()).to.equal(2);
  });

  it("is kept for as long as its key says", async () => {
    const { get, asked, clock } = setUp({ name: "kept", place: "local", freshForMs: lifetimesMs.insights });
    await getCached(get)();
    await clock.advance(599_999);
    await getCached(get)();
    expect(asked()).to.equal(1);
    await clock.advance(1);
    await getCached(get)();
    expect(asked()).to.equal(2);
  });

  it("asks anew when that is wanted", async () => {
    const { get, answerWith } = setUp();
    await getCached(get)();
    answerWith(E.right("second"));
    expect(await refetch(get)()).to.deep.equal(fresh("second"));
    expect(await getCached(get)()).to.deep.equal(fresh("second"));
  });

  for (const failure of [network("gone"), refused(503), refused(404)])
    it(`falls back on what is kept, whatever its age, after ${JSON.stringify(failure)}`, async () => {
      const { get, clock, answerWith } = setUp();
      await getCached(get)();
      await clock.advance(86_400_000);
      answerWith(E.left(failure));
      expect(await getCached(get)()).to.deep.equal(old("first"));
    });

  it("fails where nothing is kept", async () => {
    const { get, answerWith } = setUp();
    answerWith(E.left(network("gone")));
    expect(await getCached(get)()).to.deep.equal(E.left(network("gone")));
  });

  it("keeps nothing for a user who has left meanwhile, and shows the next one nothing of it", async () => {
    const { get, storage, be, answerWith } = setUp();
    const asking = getCached(get)();
    be(null);
    expect(await asking).to.deep.equal(fresh("first"));
    expect(storage.local.keys()).to.deep.equal([]);
    be("ada");
    await getCached(get)();
    be("bob");
    answerWith(E.left(network("gone")));
    expect(await getCached(get)()).to.deep.equal(E.left(network("gone")));
  });
});
