import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { type SinonFakeTimers, useFakeTimers } from "sinon";
import { WorkerPool } from "../../../../server/platform/workers/workerPool.ts";
import { until } from "../../support/until.ts";

/** Shared with the threads: whether "wait" may end, and the numbers of tasks begun, running now, running at most and freed. */
const [opened, begun, waiting, atOnce, freed] = [0, 1, 2, 3, 4];

interface Task {
  readonly do: "answer" | "name" | "wait" | "spin" | "fill" | "allocate" | "fail" | "die";
  readonly gate?: Int32Array;
}

const entry = new URL("../../../../server/platform/workers/workerThread.ts", import.meta.url);
const source = `
import { threadId } from "node:worker_threads";
import { handleTasks } from ${JSON.stringify(entry.href)};
const collected = new FinalizationRegistry((gate) => Atomics.add(gate, ${freed}, 1));
handleTasks(async (task) => {
  if (task.do === "wait") {
    Atomics.add(task.gate, ${begun}, 1);
    const together = Atomics.add(task.gate, ${waiting}, 1) + 1;
    if (together > Atomics.load(task.gate, ${atOnce})) Atomics.store(task.gate, ${atOnce}, together);
    Atomics.wait(task.gate, ${opened}, 0);
    Atomics.sub(task.gate, ${waiting}, 1);
  }
  if (task.do === "allocate") collected.register(Buffer.alloc(10_000_000), task.gate);
  if (task.do === "spin") for (;;);
  if (task.do === "fill") for (const all = []; ; ) all.push(new Array(10_000).fill(all));
  if (task.do === "fail") throw new Error("cannot");
  if (task.do === "die") process.exit(1);
  return task.do === "name" || task.do === "wait" ? String(threadId) : task.do;
}, 10);
`;

const newGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT));

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing wrong",
    (error: Error) => error.message,
  );

describe("A task in the worker pool", () => {
  let folder: string;
  let pool: WorkerPool<Task, string>;
  let timers: SinonFakeTimers;
  let gate: Int32Array;
  const timeLimitMs = 1_500;

  beforeEach(() => {
    timers = useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    gate = newGate();
    folder = mkdtempSync(join(tmpdir(), "bauta-threads-"));
    const file = join(folder, "entry.mjs");
    writeFileSync(file, source);
    const module = pathToFileURL(file);
    pool = new WorkerPool<Task, string>({
      module,
      maxThreads: 4,
      idleThreads: 1,
      timeLimitMs,
      memoryLimitMb: 32,
    });
  });
  afterEach(async () => {
    timers.restore();
    await pool.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const hasBegun = (at: Int32Array, tasks = 1): Promise<void> =>
    until(`${tasks} have begun`, () => Atomics.load(at, begun) === tasks);
  const open = (at: Int32Array): void => {
    Atomics.store(at, opened, 1);
    Atomics.notify(at, opened);
  };

  it("is canceled when it takes too long, and the next is done all the same", async () => {
    const endless = refused(pool.run({ do: "spin" }, "ada"));
    timers.tick(timeLimitMs);
    expect(await endless).to.equal("took too long");
    expect(await pool.run({ do: "answer" }, "ada")).to.equal("answer");
  });

  it("is canceled when it takes too much memory, ends its thread or fails", async () => {
    expect(await refused(pool.run({ do: "fill" }, "ada"))).to.equal("the thread has ended");
    expect(await refused(pool.run({ do: "die" }, "ada"))).to.equal("the thread has ended");
    expect(await refused(pool.run({ do: "fail" }, "ada"))).to.equal("cannot");
    expect(await pool.run({ do: "answer" }, "ada")).to.equal("answer");
  });

  it("runs in a thread that was used before, and in a new one after a minute without tasks", async () => {
    const first = await pool.run({ do: "name" }, "ada");
    expect(await pool.run({ do: "name" }, "bob")).to.equal(first);
    timers.tick(60_000);
    expect(Number(await pool.run({ do: "name" }, "ada"))).to.be.greaterThan(Number(first) + 1);
  });

  it("leaves no memory in use when no other follows", async () => {
    await pool.run({ do: "allocate", gate }, "ada");
    await until("the buffer is freed", () => Atomics.load(gate, freed) === 1);
  });

  it("of four owners at once, again and again, starts no threads after the first time", async () => {
    const runTogether = async (): Promise<readonly string[]> => {
      const together = newGate();
      const tasks = ["ada", "bob", "cleo", "dan"].map((owner) =>
        pool.run({ do: "wait", gate: together }, owner),
      );
      await hasBegun(together, tasks.length);
      open(together);
      return (await Promise.all(tasks)).toSorted();
    };
    const threads = await runTogether();
    expect(await runTogether()).to.deep.equal(threads);
    expect(await runTogether()).to.deep.equal(threads);
  });

  it("waits for the other tasks of the same owner only", async () => {
    const own = [1, 2, 3].map(() => pool.run({ do: "wait", gate }, "ada"));
    await hasBegun(gate);
    expect(await pool.run({ do: "answer" }, "bob")).to.equal("answer");
    expect(gate[begun]).to.equal(1);
    open(gate);
    await Promise.all(own);
    expect([gate[begun], gate[atOnce]]).to.deep.equal([3, 1]);
  });

  it("delays those behind it no longer than its limit", async () => {
    const closed = newGate();
    const own = [gate, closed, closed].map((at) => refused(pool.run({ do: "wait", gate: at }, "ada")));
    await hasBegun(gate);
    timers.tick(1_000);
    open(gate);
    await hasBegun(closed);
    timers.tick(timeLimitMs - 1_000);
    expect(await Promise.all(own)).to.deep.equal(["nothing wrong", "took too long", "took too long"]);
  });
});
