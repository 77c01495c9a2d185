import type { S3Place } from "../objects/s3Client.ts";
import type { createSettingReaders } from "./settingReaders.ts";
import { SettingError } from "./settings.ts";
import { settingTable as settings } from "./settingTable.ts";

/** Reads where the content of queued mail is stored; null for the database, or the files beside SQLite. */
export const readBodyStore = ({
  read,
  readGroup,
}: ReturnType<typeof createSettingReaders>): S3Place | null => {
  const group = readGroup(
    "an object store",
    {
      place: settings.BODY_STORE,
      accessKey: settings.BODY_STORE_ACCESS_KEY,
      secretKey: settings.BODY_STORE_SECRET_KEY,
    },
    [],
  );
  if (group === null) return null;
  if (read(settings.DATABASE_URL) === null)
    throw new SettingError(
      "BODY_STORE is set, but DATABASE_URL is not; expected PostgreSQL for an object store: set DATABASE_URL, or unset BODY_STORE.",
    );
  const { place, ...keys } = group;
  return { ...place, ...keys };
};
