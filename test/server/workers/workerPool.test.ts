import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { createWorkerPool, type WorkerPool } from "../../../server/workers/workerPool.ts";

interface Task {
  readonly do: "answer" | "spin" | "fill" | "fail" | "die";
  readonly ms?: number;
}

const entry = new URL("../../../server/workers/workerThread.ts", import.meta.url);
const source = `
import { handleTasks } from ${JSON.stringify(entry.href)};
handleTasks(async (task) => {
  const end = performance.now() + (task.ms ?? 0);
  if (task.do === "spin") while (performance.now() < end);
  if (task.do === "fill") for (const all = []; ; ) all.push(new Array(10_000).fill(all));
  if (task.do === "fail") throw new Error("cannot");
  if (task.do === "die") process.exit(1);
  return task.do;
});
`;

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing wrong",
    (error: Error) => error.message,
  );

describe("Work in threads", function () {
  this.timeout(30_000);
  let folder: string;
  let pool: WorkerPool<Task, string>;
  const timeLimitMs = 1_500;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bauta-threads-"));
    const file = join(folder, "entry.mjs");
    writeFileSync(file, source);
    const module = pathToFileURL(file);
    pool = createWorkerPool<Task, string>({
      module,
      maxThreads: 4,
      idleThreads: 1,
      timeLimitMs,
      memoryLimitMb: 32,
    });
  });
  afterEach(async () => {
    await pool.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is given up when it takes too long, and the next is done all the same", async () => {
    const began = performance.now();
    expect(await refused(pool.run({ do: "spin", ms: 60_000 }, "ada"))).to.equal("took too long");
    expect(performance.now() - began).to.be.within(timeLimitMs - 50, timeLimitMs + 1_000);
    expect(await pool.run({ do: "answer" }, "ada")).to.equal("answer");
  });

  it("is given up when it takes too much memory, ends its thread or fails", async () => {
    expect(await refused(pool.run({ do: "fill" }, "ada"))).to.match(/thread has ended|took too long/);
    expect(await refused(pool.run({ do: "die" }, "ada"))).to.equal("the thread has ended");
    expect(await refused(pool.run({ do: "fail" }, "ada"))).to.equal("cannot");
    expect(await pool.run({ do: "answer" }, "ada")).to.equal("answer");
  });

  it("waits for the owner's own, and for nobody else's", async () => {
    await Promise.all(["ada", "bob"].map((owner) => pool.run({ do: "answer" }, owner)));
    const began = performance.now();
    const own = [300, 300, 300].map((ms) => pool.run({ do: "spin", ms }, "ada"));
    await pool.run({ do: "answer" }, "bob");
    expect(performance.now() - began).to.be.lessThan(500);
    await Promise.all(own);
    expect(performance.now() - began).to.be.greaterThan(890);
  });

  it("is not waited for longer than its limit by those behind it", async () => {
    const own = [1_000, 1_000, 1_000].map((ms) => refused(pool.run({ do: "spin", ms }, "ada")));
    expect(await Promise.all(own)).to.deep.equal(["nothing wrong", "took too long", "took too long"]);
  });
});
