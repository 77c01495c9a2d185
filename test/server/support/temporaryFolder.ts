import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder for each test of a `describe` and removes it afterwards. */
export const useTemporaryFolder = (): (() => string) => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bauta-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
};
