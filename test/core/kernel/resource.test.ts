import { expect } from "chai";
import fc from "fast-check";
import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, network } from "../../../core/kernel/failure.ts";
import { Resource } from "../../../core/kernel/resource.ts";

type Values = Readonly<Record<string, number>>;
const keys = ["a", "b"] as const;
type Key = (typeof keys)[number];

/** A server that computes its answers when a request arrives and delivers them when the test decides. */
const createServer = () => {
  const values: Record<string, number> = { a: 0, b: 0 };
  const waiting: (() => Promise<unknown>)[] = [];
  let version = 0;
  const answer = <A>(result: E.Either<Failure, A>): TaskEither<Failure, A> => {
    let resolve: (result: E.Either<Failure, A>) => void = () => {};
    const sent = new Promise<E.Either<Failure, A>>((done) => {
      resolve = done;
    });
    waiting.push(() => {
      resolve(result);
      return sent;
    });
    return () => sent;
  };
  const refusal = network("refused");
  const nextVersion = (): number => {
    version += 1;
    return version;
  };
  return {
    values,
    waiting,
    list: (): TaskEither<Failure, Values> => answer(E.right({ ...values })),
    listFailing: (): TaskEither<Failure, Values> => answer(E.left(refusal)),
    get: (key: Key): TaskEither<Failure, number> => answer(E.right(values[key] ?? 0)),
    refuse: (): TaskEither<Failure, number> => answer(E.left(refusal)),
    set: (key: Key): TaskEither<Failure, number> => {
      values[key] = nextVersion();
      return answer(E.right(values[key] ?? 0));
    },
  };
};

const later =
  <A>(start: () => TaskEither<Failure, A>): TaskEither<Failure, A> =>
  () =>
    start()();
const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const setUp = () => {
  const server = createServer();
  let isFailing = false;
  const cache = new Map<string, Values>();
  const resource = new Resource<Values>({
    initial: {},
    fetch: later(() => (isFailing ? server.listFailing() : server.list())),
    cache: {
      read: (owner) => {
        const value = cache.get(owner);
        return value === undefined ? null : { value, isFresh: true };
      },
      write: (owner, value) => void cache.set(owner, value),
    },
    merge: (known, answer, isNewer) =>
      Object.fromEntries(
        keys.map((key): [string, number] => [
          key,
          (isNewer(key) ? known[key] : answer[key]) ?? answer[key] ?? 0,
        ]),
      ),
  });
  resource.setOwner("ada@example.org");
  const optimistic = 1_000;
  const change = (key: Key, isRefused: boolean) =>
    resource.change({
      key,
      expect: (value) => ({ ...value, [key]: optimistic }),
      send: later(() => (isRefused ? server.refuse() : server.set(key))),
      settle: (value, answer: number) => ({ ...value, [key]: answer }),
    });
  return {
    server,
    resource,
    cache,
    change,
    optimistic,
    fail: (next: boolean) => {
      isFailing = next;
    },
    shown: () => resource.state$.value.value,
    answerAll: async () => {
      for (const deliver of server.waiting.splice(0)) await deliver();
      await flush();
    },
  };
};

const step = fc.oneof(
  fc.constant({ kind: "load" as const }),
  fc.record({ kind: fc.constant("part" as const), key: fc.constantFrom(...keys) }),
  fc.record({
    kind: fc.constant("change" as const),
    key: fc.constantFrom(...keys),
    isRefused: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("answer" as const), which: fc.nat(20) }),
  fc.constant({ kind: "failing load" as const }),
);

describe("A resource", () => {
  it("never shows an older version than the server has sent, in whatever order answers arrive", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { server, resource, change, optimistic, fail, shown, answerAll } = setUp();
        const seen: Record<string, number> = {};
        for (const at of steps) {
          if (at.kind === "load") void resource.load();
          else if (at.kind === "part")
            void resource.loadPart(
              at.key,
              TE.map((answer: number) => (value: Values) => ({ ...value, [at.key]: answer }))(
                later(() => server.get(at.key)),
              ),
            )();
          else if (at.kind === "change") void change(at.key, at.isRefused)();
          else if (at.kind === "failing load") {
            fail(true);
            void resource.load();
            fail(false);
          } else if (server.waiting.length > 0)
            await server.waiting.splice(at.which % server.waiting.length, 1)[0]?.();
          await flush();
          for (const key of keys) {
            const value = shown()[key] ?? 0;
            if (resource.pending$.value.has(key)) expect(value).to.equal(optimistic);
            else {
              expect(value).to.be.at.least(seen[key] ?? 0);
              seen[key] = value;
            }
          }
        }
        await answerAll();
        void resource.load();
        await answerAll();
        expect(shown()).to.deep.equal(server.values);
        expect(resource.state$.value.status).to.equal("ready");
      }),
      { numRuns: 300 },
    ));

  it("keeps what the server sent during a change that fails", async () => {
    const { server, resource, change, shown, answerAll, optimistic } = setUp();
    void resource.load();
    await answerAll();
    const sending = change("a", true)();
    server.values["a"] = 7;
    void resource.load();
    const [refuse, list] = server.waiting.splice(0);
    await list?.();
    await flush();
    expect(shown()).to.deep.equal({ a: optimistic, b: 0 });
    await refuse?.();
    expect(E.isLeft(await sending)).to.equal(true);
    expect(shown()).to.deep.equal({ a: 7, b: 0 });
  });

  it("never shows one owner's data to another", async () => {
    const { resource, change, shown, answerAll } = setUp();
    void resource.load();
    void change("a", false)();
    resource.setOwner("grace@example.org");
    await answerAll();
    expect(resource.state$.value).to.deep.include({ status: "loading", value: {} });
    expect(resource.pending$.value.size).to.equal(0);
    expect(shown()).to.deep.equal({});
  });

  it("is restored from its cache, and marked stale when it cannot be fetched", async () => {
    const { resource, cache, fail, answerAll } = setUp();
    void resource.load();
    await answerAll();
    expect(cache.get("ada@example.org")).to.deep.equal({ a: 0, b: 0 });
    resource.setOwner("ada@example.org");
    expect(resource.state$.value).to.deep.include({ status: "ready", isFromCache: true });
    fail(true);
    void resource.load();
    await answerAll();
    expect(resource.state$.value).to.deep.include({ status: "stale", value: { a: 0, b: 0 } });
    resource.setOwner("grace@example.org");
    void resource.load();
    await answerAll();
    expect(resource.state$.value).to.deep.include({ status: "failed", value: {} });
  });
});
