import { toDomainName } from "../../../core/mail/domainName.ts";
import type { MailboxSettings } from "../../platform/config/config.ts";
import type { Part } from "../../platform/ops/lifecycle.ts";
import { findProvenDomain } from "../../platform/store/provenDomains.ts";
import { SharedTasks } from "../../platform/store/sharedTasks.ts";
import { type FetchMailboxDeps, MailboxFetcher } from "./fetchMailbox.ts";
import { openImapMailbox } from "./imapMailbox.ts";
import { createMailboxJob } from "./mailboxJob.ts";

/** Creates the part that fetches mail from the mailbox of the settings. */
export const createMailboxPart = (
  deps: Pick<FetchMailboxDeps, "database" | "clock" | "log" | "intake" | "maskDomain">,
  settings: MailboxSettings,
): Part => {
  const { database, clock, log, maskDomain } = deps;
  const { user, host, folder, recipientField } = settings;
  const fetcher = new MailboxFetcher({
    ...deps,
    recipientField,
    name: `${user} ${host} ${folder}`,
    own: user.includes("@") ? user : `${user}@${host}`,
    takesDomain: async (spelling) => {
      const name = toDomainName(spelling);
      return name !== null && (await findProvenDomain(database.db, name)) !== undefined;
    },
  });
  const tasks = new SharedTasks(database, clock);
  return createMailboxJob({
    open: () => openImapMailbox({ settings, maskDomain, clock }),
    fetcher,
    tasks,
    clock,
    log,
  });
};
