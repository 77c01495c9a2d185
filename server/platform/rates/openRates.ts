import type { Config } from "../config/config.ts";
import { withSettingError } from "../config/configuredResources.ts";
import { SettingError } from "../config/settings.ts";
import type { Database } from "../store/database.ts";
import { createPostgresqlRates } from "./postgresqlRates.ts";
import { createOwnRates, type Rates } from "./rates.ts";
import { openRedisRates } from "./redisRates.ts";
import { SharedRates, type SharedRatesDeps } from "./sharedRates.ts";

/** The rates of a process, and what begins to share them. */
export interface OpenedRates {
  readonly rates: Rates;
  /** Returns what ends it. */
  readonly start: () => () => Promise<void>;
}

/**
 * Opens the rates of a process: alone on SQLite, which has one process, otherwise shared by PostgreSQL or the server of
 * `REDIS_URL`. Throws a `SettingError` when that cannot be reached.
 */
export const openRates = async (
  { redisUrl }: Pick<Config, "redisUrl">,
  { database, ...deps }: Omit<SharedRatesDeps, "exchange"> & { readonly database: Database },
): Promise<OpenedRates> => {
  if (database.engine.name === "sqlite") {
    if (redisUrl !== null)
      throw new SettingError(
        "REDIS_URL is set; expected DATABASE_URL too, because SQLite has one process only.",
      );
    return { rates: createOwnRates(deps.clock.now), start: () => async () => {} };
  }
  const exchange =
    redisUrl === null
      ? createPostgresqlRates(database, deps.clock)
      : await withSettingError(
          "REDIS_URL is set; expected a Redis or Valkey server that can be reached with it",
          () => openRedisRates(redisUrl, deps.hash),
        );
  const rates = new SharedRates({ ...deps, exchange });
  return { rates, start: rates.start };
};
