import { isNameOf } from "../../core/mail/domainName.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { OutgoingFigures } from "../delivery/deliveryMetrics.ts";
import { DomainLimits } from "../delivery/direct/domainLimits.ts";
import { createDirectDelivery, createFindMxRoute } from "../delivery/direct/findMxRoute.ts";
import { createFindServers } from "../delivery/direct/findServers.ts";
import { ProviderLimits } from "../delivery/direct/providerLimits.ts";
import { createTlsPolicies } from "../delivery/direct/tlsPolicies.ts";
import { createTlsReportCounts, type TlsReportCounts } from "../delivery/direct/tlsReportCounts.ts";
import type { TlsSessionCounts } from "../delivery/direct/tlsSessions.ts";
import type { Transport } from "../delivery/transport.ts";
import { publicAddresses } from "../features/operator/installation.ts";
import type { Config } from "../platform/config/config.ts";
import { createDnsCache, createMailLookup, type LookUpDns } from "../platform/dns/dnsCache.ts";
import { type AskDns, createDnsClient } from "../platform/dns/dnsClient.ts";
import { createIsInNetworks, isLocalResolver, isPublicAddress } from "../platform/dns/networkRanges.ts";
import type { Database } from "../platform/store/database.ts";

/** The dependencies of the delivery to the mail servers of recipients. */
export interface DirectMailDeps {
  readonly database: Database;
  /** Counts the queries of a DNS client. */
  readonly countDns: (ask: AskDns) => AskDns;
  readonly clock: Clock;
  readonly random: Random;
}

const limits = { maxInProgress: 20, maxUnproven: 125, maxUnprovenBytes: 24 * 1024 * 1024 };
/** DNS and the fetch of a policy take this long at most. */
const policyLookUpMs = 30_000;

/** Addresses of no single machine. */
const isNobody = createIsInNetworks(["0.0.0.0/8", "224.0.0.0/3", "::/128", "ff00::/8"]);

const createRoutes = (
  { maskDomain, direct, dnsServer, smtpHost, smtpPort }: Config,
  { database, countDns, clock, random }: DirectMailDeps,
  sessions: TlsSessionCounts,
  reports: TlsReportCounts | null,
) => {
  const lookUp: LookUpDns = createDnsCache(countDns(createDnsClient(dnsServer)), clock);
  const isPrivate = createIsInNetworks(direct.networks);
  const isAllowed = (address: string): boolean =>
    isPrivate(address) || (isPublicAddress(address) && !isNobody(address));
  const own = new Set(publicAddresses());
  const resolve = async (name: string, type: string): Promise<string[] | string[][]> => {
    const found = await createMailLookup(lookUp, policyLookUpMs)(name, type);
    return type === "A" || type === "AAAA" ? (found as string[]).filter(isAllowed) : found;
  };
  return createFindMxRoute({
    lookUp,
    findServers: createFindServers({
      lookUp,
      random,
      isOwnName: (name) => isNameOf(name, maskDomain),
      isOwnAddress: (address) => own.has(address),
      isAllowed,
    }),
    tlsPolicies: createTlsPolicies({
      db: database.db,
      resolve,
      clock,
      onFailed: (result, domain) => {
        sessions.add({ policy: "sts", result });
        reports?.add(domain, [{ policy: "sts", result, server: "" }]);
      },
    }),
    isResolverTrusted: direct.trustsResolver ?? isLocalResolver(dnsServer),
    port: direct.port,
    own: {
      domain: maskDomain,
      address: smtpHost === "0.0.0.0" ? "127.0.0.1" : smtpHost === "::" ? "::1" : smtpHost,
      port: smtpPort,
    },
    onSession: sessions.add,
  });
};

/** The transport to the mail servers of recipients, with what it measures. */
export interface DirectMail {
  readonly transport: Transport;
  readonly figures: OutgoingFigures;
}

/** Creates the delivery to the mail servers of recipients; `sending` sends a mail whose route is known. */
export const createDirectMail = (
  config: Config,
  deps: DirectMailDeps,
  { sending, sessions }: { readonly sending: Transport; readonly sessions: TlsSessionCounts },
): DirectMail => {
  const { database, clock, random } = deps;
  const domainLimits = new DomainLimits({
    ...limits,
    perMinute: config.direct.mailsPerMinute,
    clock,
    random,
  });
  const reports = config.sendsTlsReports ? createTlsReportCounts({ db: database.db, clock }) : null;
  const transport = createDirectDelivery({
    findMxRoute: createRoutes(config, deps, sessions, reports),
    ...(reports && { onTls: reports.add }),
    limits: domainLimits,
    providerLimits: new ProviderLimits({ db: database.db, clock, random }),
    transport: sending,
  });
  return { transport, figures: { domains: domainLimits.figures, tlsSessions: sessions.read } };
};
