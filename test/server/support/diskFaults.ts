import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipWithout } from "../../support/missing.ts";

/** Error numbers of Linux. */
const errorNumbers = { EIO: 5, ENOSPC: 28 } as const;

/** The process is killed instead of doing this for the n-th time. */
export interface KillPoint {
  readonly operation: "write" | "sync" | "unlink" | "rename";
  readonly n: number;
}

/** Lets the disk of a child process fail. */
export interface DiskFaults {
  /** The environment of a process whose files in `folder` can fail. */
  readonly environment: (folder: string, kill?: KillPoint) => Readonly<Record<string, string>>;
  readonly begin: (operation: "write" | "sync", error: keyof typeof errorNumbers) => void;
  readonly end: () => void;
}

const source = join(import.meta.dirname, "diskFaults.c");

/** Builds the library that lets writes fail, for a `describe`; skips its tests without a C compiler on Linux. */
export const useDiskFaults = (): DiskFaults => {
  let place = "";
  const flag = (): string => join(place, "fault");
  before(function () {
    place = mkdtempSync(join(tmpdir(), "bauta-faults-"));
    const built = spawnSync("cc", ["-shared", "-fPIC", "-o", join(place, "faults.so"), source, "-ldl"]);
    if (process.platform !== "linux" || built.status !== 0) skipWithout(this, "a C compiler");
  });
  after(() => rmSync(place, { recursive: true, force: true }));
  const end = (): void => rmSync(flag(), { force: true });
  afterEach(end);
  return {
    environment: (folder, kill) => ({
      ...(kill && { FAULT_KILL: `${kill.operation} ${kill.n}` }),
      LD_PRELOAD: join(place, "faults.so"),
      FAULT_FOLDER: folder,
      FAULT_FILE: flag(),
    }),
    begin: (operation, error) => writeFileSync(flag(), `${operation} ${errorNumbers[error]}\n`),
    end,
  };
};
