import { Subject, throttleTime } from "rxjs";
import type { EmailAddress } from "../../core/mail/emailAddress.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { createClassifyMail, createExternalModel } from "../features/insights/classification.ts";
import { createCountMails, createRecordVerdict } from "../features/insights/countMails.ts";
import { readSenderHabits } from "../features/insights/senderHabits.ts";
import { createPrepareLastMails } from "../features/lastMails/keepLastMails.ts";
import { createReceivedLog } from "../features/mailLog/receivedLog.ts";
import { createSentLog } from "../features/mailLog/sentLog.ts";
import { createSubmission } from "../features/submission/submission.ts";
import { createSubmissionServers } from "../features/submission/submissionServers.ts";
import { createDnsClient } from "../platform/dns/dnsClient.ts";
import { createIsInNetworks, isPublicAddress } from "../platform/dns/networkRanges.ts";
import { isLoopback } from "../platform/ops/networkOf.ts";
import { createBeginContent } from "../platform/spool/arrivingContent.ts";
import { createSampleSenders } from "../relay/decision/sampleSenders.ts";
import { createFindEncryption } from "../relay/encrypt/encryptCopies.ts";
import { createMailThreads } from "../relay/evaluate/mailThreads.ts";
import { measureSubmission, measureTransactions } from "../relay/metrics/measuredTransactions.ts";
import { createRelayMetrics, type RelayMetrics } from "../relay/metrics/relayMetrics.ts";
import { createMailReceiver } from "../relay/receive/mailReceiver.ts";
import { createSmtpServer } from "../smtp/smtpServer.ts";
import type { Resources } from "./resources.ts";

const feedIntervalMs = 25;

export interface IncomingMailOptions {
  /** The address whose replies from this machine count as proven to be theirs; null for nobody's. No setting has it. */
  readonly provenOnLoopback: EmailAddress | null;
}

/** Creates the receiver of mail to the masks; `delivery` sends what it queues. */
const createReceiver = (
  resources: Resources,
  delivery: Delivery,
  isTrusted: (address: string) => boolean,
  relayMetrics: RelayMetrics,
  { provenOnLoopback }: IncomingMailOptions,
) => {
  const { config, database, group, bodies, secrets, encryptionPool, keyPool, sealDetail, prepareStep } =
    resources;
  const { metrics, clock, random, log, feed } = resources;
  const { aiModel } = config;
  const logging = { database, group, seal: sealDetail, clock, random };
  const stored$ = new Subject<void>();
  // Mails stored together are announced to the sockets together.
  stored$
    .pipe(throttleTime(feedIntervalMs, clock.scheduler, { leading: true, trailing: true }))
    .subscribe(feed.wake);
  const findEncryption = createFindEncryption({
    database,
    pool: encryptionPool,
    clock,
    random,
    feed,
    publicUrl: config.publicUrl,
  });
  const receiver = createMailReceiver({
    maskDomain: config.maskDomain,
    publicUrl: config.publicUrl,
    postmaster: config.postmaster,
    askDns: metrics.countDns(createDnsClient(config.dnsServer)),
    trustedNetworks: config.trustedNetworks,
    provenOnLoopback,
    isUnlimited: (address) => isTrusted(address) || !isPublicAddress(address),
    trustedSealers: config.trustedSealers,
    senderLimits: config.senderLimits,
    rates: resources.rates,
    repliesPerDay: config.repliesPerDay,
    rspamdUrl: config.rspamdUrl,
    database,
    group,
    fresh: delivery.fresh,
    bodies,
    keptSpace: resources.keptSpace,
    clock,
    random,
    log,
    tracing: resources.tracing,
    findEncryption,
    keyPool,
    receivedLog: createReceivedLog(logging),
    sentLog: createSentLog(logging),
    prepareLastMails: createPrepareLastMails({ database, pool: encryptionPool, clock, random }),
    prepareStep,
    countMails: createCountMails(database),
    classifyMail: createClassifyMail({
      external: aiModel && createExternalModel(aiModel, clock),
      readHabits: ({ userId, maskId }, domain) => readSenderHabits(database.db, { userId, maskId, domain }),
    }),
    createThreads: createMailThreads,
    createSampleSenders: (check) =>
      createSampleSenders({ check, record: createRecordVerdict(database, group, clock), clock }),
    secrets,
    changes$: feed.changes$,
    metrics: relayMetrics,
    onQueued: (isWaiting) => {
      if (isWaiting) delivery.wake();
      stored$.next();
    },
  });
  return { receiver, findEncryption };
};

/** Creates the servers that take mail: to the masks, and from the programs of users. They do not listen yet. */
export const createIncomingMail = (
  resources: Resources,
  delivery: Delivery,
  options: IncomingMailOptions,
) => {
  const { config, database, spool, tls, metrics, clock, log } = resources;
  const { maskDomain, publicUrl } = config;
  const isInTrusted = createIsInNetworks(config.trustedNetworks);
  const isTrusted = (address: string): boolean => isLoopback(address) || isInTrusted(address);
  const isBalancer = createIsInNetworks(config.smtpBalancers);
  const relayMetrics = createRelayMetrics(metrics.registry);
  const { receiver, findEncryption } = createReceiver(resources, delivery, isTrusted, relayMetrics, options);
  const beginContent = createBeginContent(spool);
  const smtp = createSmtpServer({
    name: maskDomain,
    host: config.smtpHost,
    port: config.smtpPort,
    secureContext: tls.secureContext,
    clock,
    log,
    rates: resources.rates,
    beginTransaction: measureTransactions(receiver.beginTransaction, relayMetrics, "relay"),
    submission: null,
    startsWithTls: false,
    beginContent,
    isTrusted,
    isBalancer,
    onConnectionRefused: (reply) => relayMetrics.countRefused("relay", "connection", reply),
  });
  const { outgoing } = receiver;
  const submissionServers = createSubmissionServers({
    config,
    submission: measureSubmission(
      createSubmission({ database, maskDomain, publicUrl, outgoing, clock, log }),
      relayMetrics,
    ),
    secureContext: tls.secureContext,
    clock,
    log,
    rates: resources.rates,
    beginContent,
    isTrusted,
    isBalancer,
    onConnectionRefused: (reply) => relayMetrics.countRefused("submission", "connection", reply),
  });
  return { receiver, findEncryption, smtp, submissionServers };
};
