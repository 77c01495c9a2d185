import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a folder for each test of a `describe`. All are removed after its last test, because mocha runs
 * `afterEach` hooks in the order of their definition: what a later hook closes still writes to the folder
 * while an earlier hook would remove it.
 */
export const useTemporaryFolder = (): (() => string) => {
  const folders: string[] = [];
  beforeEach(() => {
    folders.push(mkdtempSync(join(tmpdir(), "bauta-")));
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => folders.at(-1) ?? "";
};
