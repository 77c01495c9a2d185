import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "chai";

/** Each stands for a process. */
const threads = 4;
const folders = 40;

/** Opens the same fresh folders as the others at the same moments; posts what failed. */
const opener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { arrived, root, module } = workerData;
  import(module).then(async ({ openDataDir }) => {
    const failures = [];
    for (let folder = 0; folder < ${folders}; folder += 1) {
      Atomics.add(arrived, folder, 1);
      while (Atomics.load(arrived, folder) < ${threads});
      await openDataDir(root + "/data/" + folder).catch((error) => failures.push(error.message));
    }
    parentPort.postMessage(failures);
  });
`;

describe("The data folder", () => {
  it("is created once by processes that start at the same time", async () => {
    const root = mkdtempSync(join(tmpdir(), "bauta-resources-"));
    const arrived = new Int32Array(new SharedArrayBuffer(4 * folders));
    const module = new URL("../../../../server/platform/config/configuredResources.ts", import.meta.url).href;
    try {
      const failures = await Promise.all(
        Array.from({ length: threads }, () => {
          const worker = new Worker(opener, { eval: true, workerData: { arrived, root, module } });
          return new Promise<string[]>((resolve, reject) => {
            worker.once("message", resolve).once("error", reject);
          });
        }),
      );
      expect(failures.flat()).to.deep.equal([]);
      for (let folder = 0; folder < folders; folder += 1)
        expect(statSync(join(root, "data", String(folder), "outbox")).mode & 0o777).to.equal(0o700);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
