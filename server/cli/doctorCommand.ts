import { createNextHopTransport } from "../delivery/nextHopTransport.ts";
import { postmasterAddress } from "../delivery/serviceAddresses.ts";
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
import { checkTestMail, hasPostmasterMailSince } from "../features/operator/testMail.ts";
import { readReceiverReports } from "../features/reports/received/reportFigures.ts";
import { openStore } from "../platform/backup/openStore.ts";
import type { Config } from "../platform/config/config.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import type { NextHop } from "../platform/config/settings.ts";
import type { DnsResolver } from "../platform/dns/dnsResolver.ts";
import { checkLines } from "./checkLines.ts";
import type { Command, Invocation } from "./command.ts";
import { asOwnerOf } from "./dataDirOwner.ts";
import { readDkimRecords } from "./dkimCommands.ts";
import { addressesOf, addressOption } from "./dnsCommand.ts";
import { hostAndPort, mailServerOption } from "./hostOption.ts";
import { configOf } from "./store.ts";

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

const adviceOfWayIn = ({ mailbox, inbound }: Config): string => {
  if (mailbox !== null) return "Look whether it is in the mailbox; the log says why mail is left there";
  if (inbound !== null) return "Look into the log of the service that receives the mail";
  return "Look into the log of this server; if it is not there, port 25 cannot be reached or the MX record is wrong";
};

/** The server by which mail of others comes: the next hop sends it as any other, without one the best mail server of the domain gets it. */
const serverForTestMail = async (
  { nextHop, maskDomain }: Config,
  dns: Pick<DnsResolver, "resolveMx">,
): Promise<NextHop | null> => {
  if (nextHop !== null && nextHop !== "mx") return nextHop;
  const servers = await dns.resolveMx(maskDomain).catch(() => []);
  const [best] = servers.toSorted((one, other) => one.priority - other.priority);
  return best ? { host: best.exchange, port: 25, secure: false } : null;
};

/** Sends a mail as others do, and waits until the running server has it. */
const testMail = async (invocation: Invocation, dns: Pick<DnsResolver, "resolveMx">): Promise<Check> => {
  const config = configOf(invocation);
  const { clock, random } = invocation;
  const server = await serverForTestMail(config, dns);
  if (server === null)
    return problem("test mail", `${config.maskDomain} has no mail server`, "Create its MX record");
  const transport = createNextHopTransport(server, config.maskDomain, 1);
  return asOwnerOf(config.dataDir, async () => {
    const database = await openStore(config, invocation, { keepVersion: true });
    const postmaster = config.postmaster ?? postmasterAddress(config.maskDomain);
    try {
      return await checkTestMail({
        transport,
        hasComeSince: (since) => hasPostmasterMailSince(database.db, postmaster, since),
        sender: config,
        advice: adviceOfWayIn(config),
        clock,
        random,
      });
    } finally {
      transport.abort();
      await database.close();
    }
  });
};

const summaryOf = (problems: number): string => {
  if (problems === 0) return "No problem was found.";
  return problems === 1 ? "1 problem was found." : `${problems} problems were found.`;
};

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Check the installation: ports, DNS, certificate, clock, disk, database, backups",
  usage: "[--block-lists] [--test-mail]",
  options: {
    "block-lists": { type: "boolean", help: "ask public block lists about the address too" },
    "test-mail": { type: "boolean", help: "send a mail to the postmaster, and wait until it has come in" },
    ...mailServerOption,
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
    if (flag("test-mail")) {
      terminal.progress("Waiting for the test mail …");
      checks.push(await testMail(invocation, dns));
    }
    terminal.progress("");
    const problems = checks.filter(({ state }) => state === "problem").length;
    terminal.print(checks, [...checks.flatMap(checkLines), summaryOf(problems)]);
    return problems === 0 ? 0 : 1;
  },
};
