import { Subject, throttleTime } from "rxjs";
import type { EmailAddress } from "../../core/mail/emailAddress.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { postmasterAddress } from "../delivery/serviceAddresses.ts";
import { createDnsCache } from "../platform/dns/dnsCache.ts";
import { createDnsClient } from "../platform/dns/dnsClient.ts";
import { createIsInNetworks } from "../platform/dns/networkRanges.ts";
import { WorkerPool } from "../platform/workers/workerPool.ts";
import { createJudge, createJudgePools } from "../proof/judge.ts";
import { proveOnLoopback } from "../proof/proveOnLoopback.ts";
import { createInstallationShares, postmasterShare } from "../relay/limits/installationShares.ts";
import { createKeptRoom } from "../relay/limits/keptRoom.ts";
import { createPostmaster } from "../relay/receive/postmaster.ts";
import { createWholeMails } from "../relay/receive/wholeMails.ts";
import type { RelayContext } from "../relay/relayContext.ts";
import { createMailMetrics, type MailMetrics } from "./mailMetrics/mailMetrics.ts";
import type { Resources } from "./resources.ts";

const feedIntervalMs = 25;

export interface RelayOptions {
  /** The address whose replies from this machine count as proven to be theirs; null for nobody's. No setting has it. */
  readonly provenOnLoopback: EmailAddress | null;
}

/** The relay's context of a process, with what the server measures and stops of it. */
export interface ProcessRelay extends RelayContext {
  readonly metrics: MailMetrics;
  /** Stops the threads that check senders. */
  readonly stopJudging: () => Promise<void>;
}

/** Creates what the way of a mail has one of; `delivery` sends what is queued. */
export const createRelayContext = (
  resources: Resources,
  delivery: Pick<Delivery, "fresh" | "wake">,
  { provenOnLoopback }: RelayOptions,
): ProcessRelay => {
  const { config, clock, metrics, feed } = resources;
  const { maskDomain, trustedNetworks, trustedSealers, resultsHost } = config;
  const stored$ = new Subject<void>();
  // Mails stored together are announced to the sockets together.
  stored$
    .pipe(throttleTime(feedIntervalMs, clock.scheduler, { leading: true, trailing: true }))
    .subscribe(feed.wake);
  const options = {
    host: maskDomain,
    trustedSealers,
    judgesPrivate: trustedNetworks.length === 0,
    ...(resultsHost !== null && { resultsHost }),
  };
  const pools = createJudgePools({ options });
  const askDns = metrics.countDns(createDnsClient(config.dnsServer));
  const judge = createJudge({ options, pools, lookUp: createDnsCache(askDns, clock) });
  const isTrusted = createIsInNetworks(trustedNetworks);
  const shares = createInstallationShares(
    { ...resources, isTrusted },
    "mail to the postmaster",
    postmasterShare,
  );
  const postmaster = createPostmaster(config.postmaster ?? postmasterAddress(maskDomain), { judge, shares });
  return {
    ...resources,
    postmaster,
    keptRoom: createKeptRoom({ ...resources, space: resources.keptSpace }),
    fresh: delivery.fresh,
    judge,
    judgeOwner: provenOnLoopback === null ? judge : proveOnLoopback(judge, provenOnLoopback),
    isTrusted,
    wholeMails: createWholeMails(),
    metrics: createMailMetrics(metrics.registry),
    openThreads: (threads) => new WorkerPool(threads),
    onQueued: (isWaiting) => {
      if (isWaiting) delivery.wake();
      stored$.next();
    },
    stopJudging: pools.stop,
  };
};
