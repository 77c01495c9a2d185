import { join } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { OutgoingFigures } from "../delivery/deliveryMetrics.ts";
import { createDomainLimits } from "../delivery/direct/domainLimits.ts";
import { createDirectDelivery, createFindMxRoute } from "../delivery/direct/findMxRoute.ts";
import { createFindServers } from "../delivery/direct/findServers.ts";
import { createProviderLimits } from "../delivery/direct/providerLimits.ts";
import { createTlsPolicies } from "../delivery/direct/tlsPolicies.ts";
import { createTlsReportCounts, type TlsReportCounts } from "../delivery/direct/tlsReportCounts.ts";
import { createTlsSessionCounts, type TlsSessionCounts } from "../delivery/direct/tlsSessions.ts";
import { postmasterAddress } from "../delivery/ownAddresses.ts";
import { createOutboxTransport } from "../delivery/queue/outboxTransport.ts";
import type { SendingOptions } from "../delivery/sending/sendingMessages.ts";
import { createSendingTransport } from "../delivery/sending/sendingTransport.ts";
import { createThreadTransport } from "../delivery/sending/threadTransport.ts";
import { createSigningTransport } from "../delivery/signingTransport.ts";
import { createPostmasterTransport, type Transport } from "../delivery/transport.ts";
import { publicAddresses } from "../features/operator/installation.ts";
import type { Config } from "../platform/config/config.ts";
import { createDnsCache, createMailLookup, type LookUpDns } from "../platform/dns/dnsCache.ts";
import { type AskDns, createDnsClient } from "../platform/dns/dnsClient.ts";
import { createIsInNetworks, isLocalResolver, isPublicAddress } from "../platform/dns/networks.ts";
import { errorTrace, type Log } from "../platform/ops/log.ts";
import type { Database } from "../platform/store/database.ts";
import type { SigningKey } from "../proof/dkimKeys.ts";
import { createSignMail } from "../proof/signMail.ts";

/** To the next hop, or to one mail server of recipients. */
const nextHopConnections = 20;
const directConnections = 10;
const limits = { maxInProgress: 20, maxUnproven: 125, maxUnprovenBytes: 24 * 1024 * 1024 };
/** DNS and the fetch of a policy take this long at most. */
const policyLookUpMs = 30_000;

interface OutgoingDeps {
  readonly database: Database;
  /** The keys that sign. */
  readonly activeKeys: () => Promise<readonly SigningKey[]>;
  /** Path of the log of deliveries; null without one. */
  readonly deliveredLog: string | null;
  /** Counts the queries of a DNS client. */
  readonly countDns: (ask: AskDns) => AskDns;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

interface Outgoing {
  readonly transport: Transport;
  /** Null without direct delivery. */
  readonly figures: OutgoingFigures | null;
}

/** Addresses of no single machine. */
const isNobody = createIsInNetworks(["0.0.0.0/8", "224.0.0.0/3", "::/128", "ff00::/8"]);

const createRoutes = (
  { maskDomain, direct, dnsServer, smtpHost, smtpPort }: Config,
  { database, countDns, clock, random }: OutgoingDeps,
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
      isOwnName: (name) => name === maskDomain,
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

/**
 * Returns where mail leaves: the mail servers of the recipients or the next hop, signed in a thread of its own, or the
 * outbox without either, signed too. Mail to our own postmaster is stored in the outbox as it is.
 */
export const createOutgoing = (config: Config, deps: OutgoingDeps): Outgoing => {
  const { nextHop, maskDomain: name, dataDir, dkim, direct } = config;
  const { activeKeys, deliveredLog, clock, random, log } = deps;
  const outbox = createOutboxTransport(join(dataDir, "outbox"));
  const signs = dkim === "on";
  const onSigningFailed = (error: unknown): void =>
    log.error({ error: errorTrace(error) }, "signing a mail failed; it is sent without a signature");
  if (!nextHop) {
    const signMail = createSignMail({ domain: name, activeKeys, clock });
    const transport = signs ? createSigningTransport(outbox, signMail, onSigningFailed) : outbox;
    return { transport, figures: null };
  }
  const isDirect = nextHop === "mx";
  const options: SendingOptions = {
    nextHop: isDirect ? null : nextHop,
    name,
    connections: isDirect ? directConnections : nextHopConnections,
    sources: direct.sources,
    signs,
    tellsTls: config.sendsTlsReports,
    deliveredLog,
    dataDir,
  };
  const sessions = createTlsSessionCounts();
  const shared = {
    options,
    activeKeys: signs ? activeKeys : async () => [],
    clock,
    onSigningFailed,
    onSession: sessions.add,
  };
  const sending = createThreadTransport({ ...shared, otherwise: createSendingTransport(shared) });
  const postmaster = postmasterAddress(name);
  if (!isDirect)
    return { transport: createPostmasterTransport(postmaster, { sending, outbox }), figures: null };
  const domainLimits = createDomainLimits({
    ...limits,
    perMinute: direct.mailsPerMinute,
    clock,
    random,
  });
  const reports = config.sendsTlsReports ? createTlsReportCounts({ db: deps.database.db, clock }) : null;
  const toServers = createDirectDelivery({
    findMxRoute: createRoutes(config, deps, sessions, reports),
    ...(reports && { onTls: reports.add }),
    limits: domainLimits,
    providerLimits: createProviderLimits({ db: deps.database.db, clock, random }),
    transport: sending,
  });
  return {
    transport: createPostmasterTransport(postmaster, { sending: toServers, outbox }),
    figures: { domains: domainLimits.figures, tlsSessions: sessions.read },
  };
};
