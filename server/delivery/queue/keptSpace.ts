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
/** The time for which the space is remembered; the reserve of the disk is looked at for every mail. */
const lastsMs = 5_000;

/**
 * Creates the space: of the disk of DATA_DIR with SQLite; of the operator's setting elsewhere. Where both hold, the smaller.
 */
export const createKeptSpace = ({ database, reserve, clock, keptMail }: KeptSpaceDeps): KeptSpace => {
  const isOnDisk = database.engine.name === "sqlite";
  const most = keptMail ?? (isOnDisk ? null : keptElsewhereGb * bytesOfGb);
  let known = { bytes: 0, at: Number.NEGATIVE_INFINITY };
  const read = async (): Promise<number> =>
    Math.min(
      most === null ? Number.MAX_SAFE_INTEGER : Math.max(0, most - (await readAllKept(database.db))),
      isOnDisk ? reserve.freeBeside() : Number.MAX_SAFE_INTEGER,
    );
  return {
    free: async () => {
      const now = clock.now();
      if (Math.abs(now - known.at) >= lastsMs) known = { bytes: await read(), at: now };
      return known.bytes;
    },
  };
};
