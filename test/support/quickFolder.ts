import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
const enoughBytes = 2 * 1024 ** 3;

const hasRoom = (): boolean => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
};

/**
 * The folder for data of tests that need not outlive a power cut: in memory where there is room, so that no test waits for
 * a disk; else the one for temporary files.
 */
export const quickFolder = hasRoom() ? memory : tmpdir();
