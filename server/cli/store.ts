import { mailboxKey } from "../../core/mail/emailAddress.ts";
import { openStore } from "../platform/backup/openStore.ts";
import { type Config, readConfig } from "../platform/config/config.ts";
import { openDataDir } from "../platform/config/configuredResources.ts";
import { readSettings } from "../platform/config/settingsFile.ts";
import type { Database } from "../platform/store/database.ts";
import { findUserByMailbox, type UserRow } from "../platform/store/users.ts";
import { CommandError, type Invocation } from "./command.ts";
import { asOwnerOf } from "./dataDirOwner.ts";

/** Reads the configuration of a server started in this environment. */
export const configOf = ({ environment }: Pick<Invocation, "environment">): Config =>
  readConfig(readSettings(environment));

/** Runs work with the installation's database, which may be in use by its server; root is the data folder's owner meanwhile. */
export const withStore = async <A>(
  invocation: Pick<Invocation, "environment" | "clock" | "random">,
  work: (store: { readonly config: Config; readonly database: Database }) => Promise<A>,
): Promise<A> => {
  const config = configOf(invocation);
  process.umask(0o077);
  return asOwnerOf(config.dataDir, async () => {
    await openDataDir(config.dataDir);
    const database = await openStore(config, invocation, { keepVersion: true });
    try {
      return await work({ config, database });
    } finally {
      await database.close();
    }
  });
};

/** Returns the account of an address; throws when there is none. */
export const accountOf = async ({ db }: Database, address: string | undefined): Promise<UserRow> => {
  const user = await findUserByMailbox(db, mailboxKey(address ?? ""));
  if (!user) throw new CommandError(`There is no account with the address ${address}.`);
  return user;
};
