import { backupFolder } from "../backup/openStore.ts";
import type { Config } from "../config/config.ts";
import { isLoopbackOrigin } from "../http/loopback.ts";
import type { Check } from "./check.ts";
import { checkBlockLists, checkDns, type DnsResolver } from "./dnsChecks.ts";
import type { DnsPlan } from "./dnsRecords.ts";
import { checkBackups, checkClock, checkDisk, type TimeServer } from "./machineChecks.ts";
import { checkCertificate, checkMtaStsPolicy, checkServer, checkSmtp } from "./networkChecks.ts";

export interface CheckDeps {
  readonly config: Pick<Config, "publicUrl" | "maskDomain" | "dataDir" | "nextHop">;
  readonly plan: DnsPlan;
  readonly dns: DnsResolver;
  readonly now: () => number;
  readonly timeServer: TimeServer;
  /** A mail server that is reachable for everyone on port 25. */
  readonly reachableMailServer: { readonly host: string; readonly port: number };
  readonly asksBlockLists: boolean;
}

/** The mail server that checks connect to, to see whether port 25 is open for outgoing connections. */
export const usualMailServer = { host: "gmail-smtp-in.l.google.com", port: 25 };
export const usualTimeServer: TimeServer = { host: "pool.ntp.org", port: 123 };

const outgoing = ({ config: { nextHop }, reachableMailServer }: CheckDeps): Promise<Check> =>
  nextHop
    ? checkSmtp("outgoing mail", nextHop, "Check NEXT_HOP")
    : checkSmtp(
        "port 25 out",
        reachableMailServer,
        "Ask your hosting company to open port 25, or set NEXT_HOP to a mail server that sends for you",
      );

const checkPublic = async (deps: CheckDeps): Promise<readonly Check[]> => {
  const { config, plan, dns, now } = deps;
  const [ipv4] = plan.addresses.filter((address) => !address.includes(":"));
  const inbound = { host: config.maskDomain, port: 25 };
  const single = [
    checkCertificate(config.publicUrl, now()),
    checkSmtp(
      "port 25 in",
      inbound,
      "Open port 25 in the firewall, and set SMTP_PORT=25 and SMTP_HOST=0.0.0.0",
    ),
    checkMtaStsPolicy(config.maskDomain),
  ];
  const groups = [
    checkDns(dns, plan),
    ...(deps.asksBlockLists && ipv4 !== undefined ? [checkBlockLists(dns, ipv4)] : []),
  ];
  return [...(await Promise.all(groups)).flat(), ...(await Promise.all(single))];
};

/** Checks an installation; one on loopback needs neither DNS nor ports. */
export const checkInstallation = async (deps: CheckDeps): Promise<readonly Check[]> => {
  const { config, now, timeServer } = deps;
  const checks = [
    checkServer(config.publicUrl),
    outgoing(deps),
    checkDisk(config.dataDir),
    checkBackups(backupFolder(config.dataDir), now()),
    checkClock(now, timeServer),
  ];
  const everywhere = await Promise.all(checks);
  return isLoopbackOrigin(config.publicUrl) ? everywhere : [...everywhere, ...(await checkPublic(deps))];
};
