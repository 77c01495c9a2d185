import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { createMailMetrics } from "../../../server/app/mailMetrics/mailMetrics.ts";
import type { FreshMails } from "../../../server/delivery/delivery.ts";
import { createPrepareStep, createSealDetail } from "../../../server/delivery/mailLog/sealDetail.ts";
import type { KeptSpace } from "../../../server/delivery/queue/keptSpace.ts";
import { rowBodies } from "../../../server/delivery/queue/rowBodies.ts";
import { postmasterAddress } from "../../../server/delivery/serviceAddresses.ts";
import { createDnsCache } from "../../../server/platform/dns/dnsCache.ts";
import { type AskDns, createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import { createIsInNetworks } from "../../../server/platform/dns/networkRanges.ts";
import { noTracing } from "../../../server/platform/ops/tracing.ts";
import { createOwnRates } from "../../../server/platform/rates/rates.ts";
import { GroupCommit } from "../../../server/platform/store/groupCommit.ts";
import { createJudge } from "../../../server/proof/judge.ts";
import {
  createInstallationShares,
  postmasterShare,
} from "../../../server/relay/limits/installationShares.ts";
import { createKeptRoom } from "../../../server/relay/limits/keptRoom.ts";
import { createPostmaster } from "../../../server/relay/receive/postmaster.ts";
import { createWholeMails } from "../../../server/relay/receive/wholeMails.ts";
import type { RelayConfig, RelayContext } from "../../../server/relay/relayContext.ts";
import { named } from "../../support/domainNames.ts";
import { sharedJudging, sharedThreads } from "./sharedThreads.ts";

export type TestRelayOptions = Partial<Omit<RelayContext, "config" | "postmaster" | "keptRoom">> &
  Pick<RelayContext, "database" | "clock"> & {
    readonly config?: Partial<RelayConfig>;
    /** Room for all mail of a test without it. */
    readonly keptSpace?: KeptSpace | undefined;
    /** The system's resolver without it. */
    readonly dnsServer?: string | null | undefined;
    readonly askDns?: AskDns | undefined;
    readonly trustedNetworks?: readonly string[] | undefined;
    readonly trustedSealers?: readonly string[] | undefined;
    readonly resultsHost?: string | undefined;
  };

/** Leaves all mail to the queue. */
const fullMemory: FreshMails = { reserve: () => null, cancel: () => {}, add: () => {} };

const usualConfig: RelayConfig = {
  maskDomain: named("masks.test"),
  postmaster: null,
  senderLimits: { perMinute: 60, perHour: 600, dailyShare: 25 },
  rspamdUrl: null,
};

/** Creates the relay's context around a database, with everything else real but alone. */
export const createTestRelay = ({
  dnsServer = null,
  askDns = createDnsClient(dnsServer),
  trustedNetworks = ["loopback"],
  trustedSealers = [],
  resultsHost,
  config: given = {},
  keptSpace = { free: async () => 100_000_000_000 },
  ...parts
}: TestRelayOptions): RelayContext => {
  const { database, clock } = parts;
  const config = { ...usualConfig, ...given };
  const options = {
    host: config.maskDomain,
    trustedSealers,
    judgesPrivate: trustedNetworks.length === 0,
    ...(resultsHost !== undefined && { resultsHost }),
  };
  const judge = createJudge({
    options,
    pools: sharedJudging(options),
    lookUp: createDnsCache(askDns, clock),
  });
  const sealDetail = createSealDetail(database.engine, null);
  const isTrusted = createIsInNetworks(trustedNetworks);
  const rates = parts.rates ?? createOwnRates(clock.now);
  const shares = createInstallationShares({ rates, isTrusted }, "mail to the postmaster", postmasterShare);
  const recipient = config.postmaster ?? postmasterAddress(config.maskDomain);
  return {
    postmaster: createPostmaster(recipient, { judge, shares }),
    keptRoom: createKeptRoom({ database, clock, space: keptSpace }),
    random: cryptoRandom,
    log: pino({ level: "silent" }),
    rates,
    tracing: noTracing,
    group: new GroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 }),
    bodies: rowBodies,
    fresh: fullMemory,
    sealDetail,
    prepareStep: createPrepareStep(database.engine, sealDetail),
    encryptionPool: { run: async () => null },
    judge,
    judgeOwner: judge,
    isTrusted,
    wholeMails: createWholeMails(),
    metrics: createMailMetrics(new Registry()),
    openThreads: sharedThreads,
    onQueued: () => {},
    ...parts,
    config,
  };
};
