import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { withSettingError } from "../config/configuredResources.ts";
import type { DatabaseSettings } from "../config/databaseSettings.ts";
import { type Database, type OpenOptions, openDatabase } from "../store/database.ts";
import type { Engine } from "../store/engine.ts";
import { type PostgresqlDeps, postgresqlEngine } from "../store/postgresql.ts";
import { sqliteEngine } from "../store/sqlite.ts";

type StoreConfig = DatabaseSettings & Pick<Config, "dataDir">;

/** The default folder of backups. */
export const backupFolder = (dataDir: string): string => join(dataDir, "backups");

/** Connects to the database of the configuration. */
export const engineOf = (config: StoreConfig, deps: PostgresqlDeps): Engine =>
  config.databaseUrl
    ? postgresqlEngine(config.databaseUrl, deps, {
        directUrl: config.databaseDirectUrl,
        readUrl: config.databaseReadUrl,
        notifies: config.databaseNotifies,
      })
    : sqliteEngine(join(config.dataDir, "bauta.db"));

/** Opens the database of the configuration; throws a `SettingError` when it cannot be opened. */
export const openStore = (
  config: StoreConfig,
  deps: PostgresqlDeps,
  options?: OpenOptions,
): Promise<Database> =>
  withSettingError(
    config.databaseUrl
      ? "DATABASE_URL is set; expected a database that can be reached and opened with it"
      : `DATA_DIR is ${JSON.stringify(config.dataDir)}; expected a folder with a valid bauta.db`,
    () => openDatabase(engineOf(config, deps), options),
  );
