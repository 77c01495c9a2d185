import { randomBytes } from "node:crypto";
import { existsSync, statfsSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { exhaustMap, from, interval } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import { errorTrace, type Log } from "./log.ts";

/** The size of a disk and what is free of it, in bytes. */
export interface DiskSpace {
  readonly total: number;
  readonly free: number;
}

/**
 * Room that new mail and new data leave to deliveries and deletions, which make room again but need some to be
 * recorded. Half of it is a file, so that other programs that fill the disk cannot take it.
 */
export interface DiskReserve {
  /** True if new mail and new data may be stored now; takes microseconds. */
  readonly hasRoom: () => boolean;
  /** True if a mail of several hundred kilobytes and more may be stored: beside it, room is left for small ones. */
  readonly hasRoomForLarge: () => boolean;
  /** Returns how many bytes mail that is kept may still fill, beside what mail on its way needs. */
  readonly freeBeside: () => number;
  /**
   * Begins to watch the disk once a second and returns the function that stops it. `giveBackSpace` is called each second
   * while there is no room: it frees what this process occupies without need.
   */
  readonly start: (giveBackSpace: () => Promise<void>) => Promise<() => void>;
}

export interface DiskReserveDeps {
  readonly dataDir: string;
  readonly clock: Pick<Clock, "scheduler">;
  readonly log: Log;
  readonly readSpace?: (dataDir: string) => DiskSpace;
}

const checkEveryMs = 1_000;
const mebibyte = 1024 * 1024;
const largestReserveBytes = 32 * mebibyte;
const shareOfDisk = 0.05;
const pieceBytes = mebibyte;

/** Returns the bytes of the reserve file, and of free space beside it below which no new mail is taken. */
const reserveBytesOf = ({ total }: Pick<DiskSpace, "total">): number =>
  Math.floor(Math.min(largestReserveBytes, total * shareOfDisk));

const gibibyte = 1024 * mebibyte;
/** The part of the disk that is left to mail on its way, at most as many bytes. */
export const leftToOtherMail = { part: 1 / 4, most: 4 * gibibyte };
/** The part of the disk that is left to small mail, at most as many bytes. */
export const leftToSmallMail = { part: 1 / 8, most: gibibyte };

const bytesLeft = ({ total }: DiskSpace, { part, most }: typeof leftToOtherMail): number =>
  Math.floor(Math.min(most, total * part));

/** Below an eighth the file is deleted, so that deliveries can use its space. */
const deletedBelow = (reserve: number): number => reserve / 8;

const readDiskSpace = (dataDir: string): DiskSpace => {
  const { bsize, blocks, bavail } = statfsSync(dataDir);
  return { total: blocks * bsize, free: bavail * bsize };
};

/** Writes random bytes, which no file system compresses or leaves out; nothing stays of a file that is incomplete. */
const writeReserve = async (path: string, bytes: number): Promise<void> => {
  const unfinished = `${path}.new`;
  try {
    const file = await open(unfinished, "w", 0o600);
    try {
      for (let left = bytes; left > 0; left -= pieceBytes)
        await file.writeFile(randomBytes(Math.min(left, pieceBytes)));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await unlink(unfinished).catch(() => {});
    throw error;
  }
};

/** Creates the reserve of a data folder's disk: 32 MiB, or 5 % of a smaller disk, as a file and as much beside it. */
export const createDiskReserve = (deps: DiskReserveDeps): DiskReserve => {
  const { dataDir, clock, log, readSpace = readDiskSpace } = deps;
  const path = join(dataDir, "reserve");
  let isInPlace = false;
  let hadRoom = true;

  /** The space; null where it cannot be read: whoever writes next learns what is wrong. */
  const spaceNow = (): DiskSpace | null => {
    try {
      return readSpace(dataDir);
    } catch {
      return null;
    }
  };
  const hasRoom = (): boolean => {
    if (!isInPlace) return false;
    const space = spaceNow();
    return space === null || space.free >= reserveBytesOf(space);
  };

  const update = async (giveBackSpace: () => Promise<void>): Promise<void> => {
    const space = readSpace(dataDir);
    const reserve = reserveBytesOf(space);
    if (isInPlace && space.free < deletedBelow(reserve)) {
      await unlink(path).catch(() => {});
      isInPlace = false;
    } else if (!isInPlace && space.free >= 2 * reserve + deletedBelow(reserve)) {
      await writeReserve(path, reserve);
      isInPlace = true;
    }
    const isRoom = hasRoom();
    if (!isRoom) await giveBackSpace();
    if (hadRoom && !isRoom)
      log.error({ free: space.free }, "the disk of DATA_DIR is almost full: no new mail is taken");
    if (!hadRoom && isRoom) log.warn({ free: space.free }, "there is room on the disk of DATA_DIR again");
    hadRoom = isRoom;
  };

  const check = (giveBackSpace: () => Promise<void>): Promise<void> =>
    update(giveBackSpace).catch((error: unknown) =>
      log.error({ error: errorTrace(error) }, "checking the room on the disk of DATA_DIR failed"),
    );

  return {
    hasRoom,
    hasRoomForLarge: () => {
      if (!hasRoom()) return false;
      const space = spaceNow();
      return space === null || space.free >= bytesLeft(space, leftToSmallMail);
    },
    freeBeside: () => {
      const space = spaceNow();
      return space === null ? 0 : Math.max(0, space.free - bytesLeft(space, leftToOtherMail));
    },
    start: async (giveBackSpace) => {
      isInPlace = existsSync(path);
      await check(giveBackSpace);
      const checks = interval(checkEveryMs, clock.scheduler)
        .pipe(exhaustMap(() => from(check(giveBackSpace))))
        .subscribe();
      return () => checks.unsubscribe();
    },
  };
};
