import { type Check, ok, problem } from "../features/operator/check.ts";
import { dnsSetupOf } from "../features/operator/installation.ts";
import {
  checkInstallation,
  createResolver,
  usualMailServer,
  usualTimeServer,
} from "../features/operator/installationChecks.ts";
import { findOwnAddresses } from "../features/operator/ownAddresses.ts";
import { checkRemovedNames } from "../features/operator/removedNameCheck.ts";
import { checkReceiverReports } from "../features/operator/reportChecks.ts";
import { readReceiverReports } from "../features/reports/received/reportFigures.ts";
import { openStore } from "../platform/backup/openStore.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
import { asOwnerOf } from "./dataDirOwner.ts";
import { readDkimRecords } from "./dkimCommands.ts";
import { addressesOf, addressOption } from "./dnsCommand.ts";
import { configOf } from "./store.ts";

const marks = { ok: "ok      ", warning: "warning ", problem: "PROBLEM ", unknown: "unknown " } as const;

const lineOf = ({ name, state, is, advice }: Check): readonly string[] => [
  `${marks[state]} ${name}: ${is}`,
  ...(advice === null ? [] : [`          ${advice}.`]),
];

/** The check proves that a commit survives a power cut; then the reports that the database has are looked at. */
const checkDatabase = async (invocation: Invocation): Promise<readonly Check[]> => {
  const config = configOf(invocation);
  try {
    const { reports, names } = await asOwnerOf(config.dataDir, async () => {
      const database = await openStore(config, invocation, { keepVersion: true });
      try {
        const own = await findOwnAddresses(createResolver(config.dnsServer), config, addressesOf(invocation));
        const now = invocation.clock.now();
        return {
          reports: await readReceiverReports(database.db, now, own),
          names: await checkRemovedNames(database.db, now),
        };
      } finally {
        await database.close();
      }
    });
    const durable = config.databaseUrl ? "PostgreSQL, commits are durable" : "SQLite, commits are durable";
    const isPublic = !isLoopbackOrigin(config.publicUrl);
    return [ok("database", durable), names, ...(isPublic ? [checkReceiverReports(reports)] : [])];
  } catch (error) {
    return [
      problem("database", error instanceof Error ? error.message : "cannot be opened", "See the message"),
    ];
  }
};

const maxPort = 65_535;

/** Returns host and port of an option's value; throws a `UsageError` for another one. */
const hostAndPort = (option: string, { text }: Invocation, usual: { host: string; port: number }) => {
  const value = text(option);
  if (value === undefined) return usual;
  const [, host = value, given = usual.port] = /^(.*):(\d+)$/.exec(value) ?? [];
  const port = Number(given);
  if (host === "" || /\s/.test(host) || port < 1 || port > maxPort)
    throw new UsageError(
      `--${option}: "${value}" is no host, or host and port, such as mail.example.org:25.`,
    );
  return { host, port };
};

const summaryOf = (problems: number): string => {
  if (problems === 0) return "No problem was found.";
  return problems === 1 ? "1 problem was found." : `${problems} problems were found.`;
};

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Check the installation: ports, DNS, certificate, clock, disk, database, backups",
  usage: "[--block-lists]",
  options: {
    "block-lists": { type: "boolean", help: "ask public block lists about the address too" },
    "mail-server": { type: "string", value: "host", help: "mail server to try port 25 with" },
    "time-server": { type: "string", value: "host", help: "time server to compare the clock with" },
    ...addressOption,
  },
  run: async (invocation) => {
    const config = configOf(invocation);
    const { terminal, flag, clock } = invocation;
    const timeServer = hostAndPort("time-server", invocation, usualTimeServer);
    const reachableMailServer = hostAndPort("mail-server", invocation, usualMailServer);
    const dns = createResolver(config.dnsServer);
    const setup = dnsSetupOf(config, {
      addresses: addressesOf(invocation),
      dkim: await readDkimRecords(invocation).catch(() => []),
    });
    terminal.progress("Checking …");
    const checks = [
      ...(await checkDatabase(invocation)),
      ...(await checkInstallation({
        config,
        setup,
        dns,
        now: clock.now,
        timeServer,
        reachableMailServer,
        ownMailServer: { host: config.maskDomain, port: 25 },
        asksBlockLists: flag("block-lists"),
      })),
    ];
    terminal.progress("");
    const problems = checks.filter(({ state }) => state === "problem").length;
    terminal.print(checks, [...checks.flatMap(lineOf), summaryOf(problems)]);
    return problems === 0 ? 0 : 1;
  },
};
