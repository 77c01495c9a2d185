import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one test, gone afterwards. Use inside a `describe`. */
export const useTemporaryFolder = (): (() => string) => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bauta-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
};
