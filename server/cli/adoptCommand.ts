import { adoptDatabase } from "../platform/installation/installationMark.ts";
import { openSecrets } from "../platform/ops/secrets.ts";
import { type Command, CommandError } from "./command.ts";
import { withStore } from "./store.ts";

/** Gives a database to the installation that runs the command, after a change of its keys or of MASK_DOMAIN. */
export const adoptCommand: Command = {
  name: "adopt",
  summary: "Make these keys and MASK_DOMAIN those of the database, as the server asks after a change",
  usage: "--yes",
  options: { yes: { type: "boolean", help: "do it" } },
  run: (invocation) =>
    withStore(invocation, async ({ config: { dataDir, maskDomain }, database }) => {
      if (!invocation.flag("yes"))
        throw new CommandError(
          `The database would belong to the keys in ${dataDir} and to ${maskDomain}: what other keys have sealed (authenticator secrets, DKIM keys) cannot be read, and masks of another domain get no mail. Stop the servers of the other installation, and add --yes to do so.`,
        );
      const earlier = await adoptDatabase(database.db, openSecrets(dataDir), maskDomain);
      invocation.terminal.print({ maskDomain, earlier: earlier ?? null }, [
        `The database belongs to the keys in ${dataDir} and to ${maskDomain}.`,
      ]);
      return 0;
    }),
};
