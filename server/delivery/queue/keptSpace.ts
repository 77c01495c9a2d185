import type { Clock } from "../../../core/ports/clock.ts";
import { bytesOfGb } from "../../platform/config/config.ts";
import type { DiskReserve } from "../../platform/ops/diskReserve.ts";
import type { Database } from "../../platform/store/database.ts";
import { readAllKept } from "./keptBytes.ts";

/** The space that mail may still be kept in. */
export interface KeptSpace {
  /** Returns bytes beside what other mail needs; 0 where nothing more may be kept. */
  readonly free: () => Promise<number>;
}

export interface KeptSpaceDeps {
  readonly database: Pick<Database, "db" | "engine">;
  readonly reserve: Pick<DiskReserve, "freeBeside">;
  readonly clock: Pick<Clock, "now">;
  /** Bytes for all mail that is kept, as the operator says; null for none. */
  readonly keptMail: number | null;
}

/** The size, in GB, of what may be kept in PostgreSQL or an object store, whose disk this process does not see. */
export const keptElsewhereGb = 20;
/** The time for which the sum of all that is kept is remembered. */
const sumLastsMs = 5_000;

/**
 * Creates the space: of the disk of DATA_DIR with SQLite, as it is at the moment; of the operator's setting elsewhere. Where
 * both hold, the smaller.
 */
export const createKeptSpace = ({ database, reserve, clock, keptMail }: KeptSpaceDeps): KeptSpace => {
  const isOnDisk = database.engine.name === "sqlite";
  const most = keptMail ?? (isOnDisk ? null : keptElsewhereGb * bytesOfGb);
  let sum = { bytes: 0, at: Number.NEGATIVE_INFINITY };
  const leftOfSetting = async (): Promise<number> => {
    if (most === null) return Number.MAX_SAFE_INTEGER;
    const now = clock.now();
    if (Math.abs(now - sum.at) >= sumLastsMs) sum = { bytes: await readAllKept(database.db), at: now };
    return Math.max(0, most - sum.bytes);
  };
  return {
    free: async () =>
      Math.min(await leftOfSetting(), isOnDisk ? reserve.freeBeside() : Number.MAX_SAFE_INTEGER),
  };
};
