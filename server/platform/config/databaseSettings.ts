import type { Read } from "./settingReaders.ts";
import { SettingError } from "./settings.ts";
import { settingTable as settings } from "./settingTable.ts";

/** The place of the data. */
export interface DatabaseSettings {
  /** Null uses SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** PostgreSQL itself, where a pooler stands at `databaseUrl`; null where none does. */
  readonly databaseDirectUrl: string | null;
  /** A standby for reads that take long; null without one. */
  readonly databaseReadUrl: string | null;
  /** True if processes tell each other of changes by NOTIFY. */
  readonly databaseNotifies: boolean;
}

/** Reads where the data is; throws a `SettingError` for an address beside a database that is not named. */
export const readDatabase = (read: Read): DatabaseSettings => {
  const databaseUrl = read(settings.DATABASE_URL);
  const databaseDirectUrl = read(settings.DATABASE_DIRECT_URL);
  const databaseReadUrl = read(settings.DATABASE_READ_URL);
  const beside = [
    [settings.DATABASE_DIRECT_URL, databaseDirectUrl],
    [settings.DATABASE_READ_URL, databaseReadUrl],
  ] as const;
  for (const [{ name }, url] of beside)
    if (url !== null && databaseUrl === null)
      throw new SettingError(
        `DATABASE_URL is not set; expected the database to use, because ${name} is set.`,
      );
  const databaseNotifies = read(settings.DATABASE_NOTIFY) === "on";
  return { databaseUrl, databaseDirectUrl, databaseReadUrl, databaseNotifies };
};
