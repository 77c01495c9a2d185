import { Resolver } from "node:dns/promises";
import { asyncScheduler } from "rxjs";
import { backupFolder } from "../../platform/backup/openStore.ts";
import type { Config } from "../../platform/config/config.ts";
import { isLoopbackOrigin } from "../../platform/config/loopbackOrigin.ts";
import { createDnsClient } from "../../platform/dns/dnsClient.ts";
import type { DnsResolver } from "../../platform/dns/dnsResolver.ts";
import { isLocalResolver } from "../../platform/dns/networkRanges.ts";
import { openImapMailbox } from "../mailbox/imapMailbox.ts";
import { checkMailbox } from "../mailbox/mailboxCheck.ts";
import { Provider } from "../oidc/provider.ts";
import type { Check } from "./check.ts";
import { checkBlockLists, checkDns, checkDnssec } from "./dnsChecks.ts";
import type { DnsSetup } from "./dnsRecords.ts";
import { checkInbound } from "./inboundCheck.ts";
import { checkBackups, checkClock, checkDisk, type TimeServer } from "./machineChecks.ts";
import { checkCertificate, checkMtaStsPolicy, checkServer, checkSmtp } from "./networkChecks.ts";
import { checkClient, checkProvider } from "./providerChecks.ts";
import { checkSubdomainDmarc } from "./subdomainChecks.ts";

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export interface CheckDeps {
  readonly config: Pick<
    Config,
    "publicUrl" | "maskDomain" | "dataDir" | "nextHop" | "dnsServer" | "oidc" | "inbound" | "mailbox"
  > & {
    readonly direct: Pick<Config["direct"], "trustsResolver">;
  };
  readonly setup: DnsSetup;
  readonly dns: DnsResolver;
  readonly now: () => number;
  readonly timeServer: TimeServer;
  /** A mail server that is reachable for everyone on port 25. */
  readonly reachableMailServer: HostAndPort;
  /** The mail server to which other servers deliver the masks' mail. */
  readonly ownMailServer: HostAndPort;
  readonly asksBlockLists: boolean;
}

/** The mail server that checks connect to, to see whether port 25 is open for outgoing connections. */
export const usualMailServer = { host: "gmail-smtp-in.l.google.com", port: 25 };
export const usualTimeServer: TimeServer = { host: "pool.ntp.org", port: 123 };

/** Creates a resolver that asks DNS_SERVER, or the system's; it gives up after 4 s. */
export const createResolver = (dnsServer: string | null): Resolver => {
  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  if (dnsServer) dns.setServers([dnsServer]);
  return dns;
};

const outgoing = ({
  config: { nextHop },
  reachableMailServer,
}: Pick<CheckDeps, "config" | "reachableMailServer">): Promise<Check> =>
  nextHop && nextHop !== "mx"
    ? checkSmtp("outgoing mail", nextHop, "Check NEXT_HOP")
    : checkSmtp(
        "outgoing port 25",
        reachableMailServer,
        "Ask your hosting company to open port 25, or set NEXT_HOP to a mail server that sends for you",
      );

/** Only where mail goes to the servers of its recipients, unless the settings do without DANE. */
const dnssecChecks = ({
  nextHop,
  dnsServer,
  direct: { trustsResolver },
}: CheckDeps["config"]): readonly Promise<readonly Check[]>[] => {
  if (nextHop !== "mx" || trustsResolver === false) return [];
  const isBelieved = trustsResolver ?? isLocalResolver(dnsServer);
  return [checkDnssec(createDnsClient(dnsServer), isBelieved).then((check) => [check])];
};

/** Checks the DNS records of an installation; none are needed on loopback. */
export const checkNames = async ({
  config,
  setup,
  dns,
  asksBlockLists,
}: Pick<CheckDeps, "config" | "setup" | "dns" | "asksBlockLists">): Promise<readonly Check[]> => {
  if (isLoopbackOrigin(config.publicUrl)) return [];
  const [ipv4] = setup.addresses.filter((address) => !address.includes(":"));
  const groups = [
    checkDns(dns, setup),
    ...(setup.hasSubdomains ? [checkSubdomainDmarc(dns, setup).then((check) => [check])] : []),
    ...dnssecChecks(config),
    ...(asksBlockLists && ipv4 !== undefined ? [checkBlockLists(dns, ipv4)] : []),
  ];
  return (await Promise.all(groups)).flat();
};

const portAdvice =
  "Open port 25 in the firewall, and set SMTP_PORT=25 and SMTP_HOST=0.0.0.0; without port 25, see docs/mailbox.md and docs/inbound.md";

/** The identity provider of an installation that has one. */
const providerOf = ({ config: { oidc, publicUrl }, now }: Pick<CheckDeps, "config" | "now">) =>
  oidc && { oidc, provider: new Provider({ oidc, publicUrl, clock: { now } }) };

/** Checks the client only, because each check is a refused sign-in in the provider's log. */
const checkOwnClient = async (deps: Pick<CheckDeps, "config" | "now">): Promise<readonly Check[]> => {
  const found = providerOf(deps);
  const { publicUrl } = deps.config;
  return found ? checkClient(found.provider, { publicUrl, clientId: found.oidc.clientId }) : [];
};

/** Checks the ports, disk, backups, clock and certificate of an installation; one on loopback has fewer. */
export const checkMachine = (
  deps: Omit<CheckDeps, "setup" | "dns" | "asksBlockLists">,
): Promise<readonly Check[]> => {
  const { config, now, timeServer } = deps;
  const { maskDomain, publicUrl, dataDir } = config;
  const found = providerOf(deps);
  const { inbound, mailbox } = config;
  const clock = { now, scheduler: asyncScheduler };
  return Promise.all([
    outgoing(deps),
    checkDisk(dataDir),
    checkBackups(backupFolder(dataDir), now()),
    checkClock(now, timeServer),
    ...(found ? [checkProvider(found.provider, found.oidc.issuer)] : []),
    ...(isLoopbackOrigin(publicUrl)
      ? []
      : [
          checkCertificate(publicUrl, now()),
          ...(inbound || mailbox
            ? []
            : [checkSmtp("port 25 in", deps.ownMailServer, portAdvice), checkMtaStsPolicy(maskDomain)]),
        ]),
    ...(inbound ? [checkInbound(inbound.secret, publicUrl)] : []),
    ...(mailbox ? [checkMailbox(() => openImapMailbox({ settings: mailbox, maskDomain, clock }))] : []),
  ]);
};

/** Checks an installation from outside of its server. */
export const checkInstallation = async (deps: CheckDeps): Promise<readonly Check[]> => {
  const [server, names, machine, client] = await Promise.all([
    checkServer(deps.config.publicUrl),
    checkNames(deps),
    checkMachine(deps),
    checkOwnClient(deps),
  ]);
  return [server, ...machine, ...client, ...names];
};
