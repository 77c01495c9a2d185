import {
  type DomainQueue,
  deleteWaitingMail,
  isWaiting,
  listDomainQueues,
  listWaitingMails,
  retryMails,
  type WaitingMail,
} from "../delivery/queue/queueAdministration.ts";
import { type Command, CommandError, UsageError } from "./command.ts";
import { withStore } from "./store.ts";
import { columns } from "./terminal.ts";

const shownAtMost = 1_000;
const time = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

const described = ({ createdAt, nextAttemptAt, ...mail }: WaitingMail) => ({
  ...mail,
  created: new Date(createdAt).toISOString(),
  nextAttempt: new Date(nextAttemptAt).toISOString(),
});

const domainLines = (domains: readonly DomainQueue[]): readonly string[] =>
  domains.length === 0
    ? []
    : [
        ...columns([
          ["DOMAIN", "SENDING", "DUE", "DEFERRED", "HELD", "FAILED", "OLDEST (UTC)", "ANSWER"],
          ...domains.map(({ domain, oldest, answer, ...of }) => [
            domain,
            ...[of.sending, of.due, of.deferred, of.held, of.failed].map(String),
            oldest === null ? "-" : time(oldest),
            answer ?? "-",
          ]),
        ]),
        "",
      ];

const list: Command = {
  name: "queue list",
  summary: "List waiting mail: by domain, and each mail, the oldest first",
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const now = invocation.clock.now();
      const domains = await listDomainQueues(database, { now, limit: shownAtMost });
      const mails = await listWaitingMails(database.db, shownAtMost);
      const rows = mails.map(({ id, createdAt, attempts, nextAttemptAt, recipient, lastAnswer }) => [
        id,
        time(createdAt),
        String(attempts),
        time(nextAttemptAt),
        recipient,
        lastAnswer ?? "-",
      ]);
      const shown = domains.map((domain) => ({
        ...domain,
        oldest: domain.oldest === null ? null : new Date(domain.oldest).toISOString(),
      }));
      invocation.terminal.print({ domains: shown, mails: mails.map(described) }, [
        ...domainLines(domains),
        ...columns([["ID", "SINCE (UTC)", "TRIES", "NEXT", "TO", "LAST ANSWER"], ...rows]),
        `${mails.length} mails wait${mails.length === shownAtMost ? " at least" : ""}`,
      ]);
      return 0;
    }),
};

const retry: Command = {
  name: "queue retry",
  summary: "Send a waiting mail now, or all with --all",
  usage: "[<id>] [--all]",
  optionalPositionals: 1,
  options: { all: { type: "boolean", help: "all waiting mails" } },
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const [id] = invocation.positionals;
      if ((id === undefined) !== invocation.flag("all")) throw new UsageError("Name one mail, or --all.");
      const count = await retryMails(database.db, id ?? null, invocation.clock.now());
      if (id !== undefined && count === 0) throw new CommandError(`There is no waiting mail ${id}.`);
      invocation.terminal.print({ retried: count }, [
        `${count} mails are due now: the running server sends them.`,
      ]);
      return 0;
    }),
};

const remove: Command = {
  name: "queue delete",
  summary: "Delete a waiting mail, so that nobody receives it",
  usage: "<id> --yes",
  positionals: 1,
  options: { yes: { type: "boolean", help: "really delete" } },
  run: (invocation) =>
    withStore(invocation, async ({ database }) => {
      const [id = ""] = invocation.positionals;
      const absent = new CommandError(`There is no waiting mail ${id}.`);
      if (!(await isWaiting(database.db, id))) throw absent;
      if (!invocation.flag("yes"))
        throw new CommandError(`This would delete the mail ${id}. Add --yes to do so.`);
      if (!(await deleteWaitingMail(database, id))) throw absent;
      invocation.terminal.print({ deleted: id }, [`Deleted the mail ${id}.`]);
      return 0;
    }),
};

export const queueCommands: readonly Command[] = [list, retry, remove];
