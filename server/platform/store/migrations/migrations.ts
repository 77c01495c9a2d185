import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { maskListSettings } from "./0002_maskListSettings.ts";
import { codes } from "./0003_codes.ts";
import { push } from "./0004_push.ts";
import { dueMessages } from "./0005_dueMessages.ts";
import { mailboxMails } from "./0007_mailboxMails.ts";
import { initial } from "./initial/initial.ts";

/** The migration that creates a new database. Its name tells it from the "0001_initial" of versions before 0.3.0. */
export const initialName = "0001_initial-0.3.0";

/**
 * All migrations by name: a number of four digits and what it changes, "0002_maskIcons". They run in the order of their
 * numbers. A released one never changes; what is to change is a new one.
 */
export const allMigrations = (engine: Engine): Readonly<Record<string, Migration>> => ({
  [initialName]: initial(engine),
  "0002_maskListSettings": maskListSettings,
  "0003_codes": codes,
  "0004_push": push(engine),
  "0005_dueMessages": dueMessages,
  "0007_mailboxMails": mailboxMails,
});
