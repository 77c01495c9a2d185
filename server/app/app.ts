import { join } from "node:path";
import { Subject, throttleTime } from "rxjs";
import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { createDelivery } from "../delivery/delivery.ts";
import { createPrepareStep, createSealDetail } from "../delivery/mailLog/sealDetail.ts";
import { openDeliveredLog } from "../delivery/queue/deliveredLog.ts";
import { createOutbox } from "../delivery/queue/outbox.ts";
import { applyDefaultTier } from "../features/billing/changePlan.ts";
import { createSigningKeys } from "../features/domains/domainKeys.ts";
import { createHeldLinks } from "../features/held/heldLinks.ts";
import { createHeldNotices } from "../features/held/heldNotice.ts";
import { createHoldFailedMail, prepareDelayNotice } from "../features/held/holdFailedMail.ts";
import { createClassifyMail, createExternalModel } from "../features/insights/classification.ts";
import { readSenderHabits } from "../features/insights/senderHabits.ts";
import { createPrepareLastMails } from "../features/lastMails/keepLastMails.ts";
import { createSentLog } from "../features/mailLog/sentLog.ts";
import { createOwnedTransport } from "../features/masks/ownedTransport.ts";
import { createResolver } from "../features/operator/installationChecks.ts";
import { createInstallation } from "../features/operator/liveInstallation.ts";
import { createTls } from "../platform/acme/tls.ts";
import { createUpdateBackup, openStore } from "../platform/backup/openStore.ts";
import type { Config } from "../platform/config/config.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import { startListening } from "../platform/config/resources.ts";
import { createIsInNetworks, isPublicAddress } from "../platform/dns/networks.ts";
import { createDiskReserve } from "../platform/ops/diskReserve.ts";
import { createHousekeeping } from "../platform/ops/housekeeping.ts";
import { startIdleCollection, thisProcess } from "../platform/ops/idleMemory.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { type Part, startAll, toPart } from "../platform/ops/lifecycle.ts";
import { createLog } from "../platform/ops/log.ts";
import { isLoopback } from "../platform/ops/networks.ts";
import { createSeal, openSecrets } from "../platform/ops/secrets.ts";
import { createBeginContent } from "../platform/spool/arrivingContent.ts";
import { createSpool } from "../platform/spool/spoolFile.ts";
import { createStorageCheck } from "../platform/storage/storageCheck.ts";
import { isDatabaseReady } from "../platform/store/database.ts";
import { createEventFeed } from "../platform/store/events.ts";
import { GroupCommit } from "../platform/store/groupCommit.ts";
import { setOperators } from "../platform/store/users.ts";
import { createWorkerPool } from "../platform/workers/workerPool.ts";
import { createDkimKeys } from "../proof/dkimKeys.ts";
import { createCountMails, createRecordVerdict } from "../relay/commit/insightCounts.ts";
import {
  createEncryptToOwner,
  createFindEncryption,
  encryptionThreads,
} from "../relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../relay/encrypt/pgpMime.ts";
import { createMailLog } from "../relay/plan/planLog.ts";
import { createMailReceiver } from "../relay/receive/mailReceiver.ts";
import { createSmtpServer } from "../relay/smtp/smtpServer.ts";
import { createSubmission } from "../relay/submission/submission.ts";
import { createSubmissionServers } from "../relay/submission/submissionServers.ts";
import { createFeatures } from "./features.ts";
import { createHttpApp } from "./httpApp.ts";
import { createOutgoing } from "./outgoingTransport.ts";
import { pruneJobsOf } from "./pruneJobs.ts";
import { createServerContext } from "./serverContext.ts";
import type {} from "./tables.ts";

const pageFolder = join(import.meta.dirname, "../../dist/web");
/** Concurrent mails: to the next hop, where others follow on its connections, or to servers of which some are slow. */
const nextHopConcurrency = 50;
const directConcurrency = 500;
const feedIntervalMs = 25;
/** Mails and bytes of one commit. */
const commitSize = { items: 200, weight: 64 * 1024 * 1024 };

const outgoing = ({ nextHop, publicUrl, dataDir }: Config): string => {
  if (nextHop === "mx") return "  Out     the mail servers of the recipients";
  if (nextHop) return `  Out     ${nextHop.host}:${nextHop.port}`;
  const place = isLoopbackOrigin(publicUrl) ? `${publicUrl}/outbox` : join(dataDir, "outbox");
  return `  Outbox  ${place} (NEXT_HOP is not set; codes and forwarded mail are stored there)`;
};

/** Returns the start message: the addresses of the app, the SMTP server, and the outbox or next hop. */
export const greeting = (config: Config): string =>
  [
    `${config.brand} is ready.`,
    `  App     ${config.publicUrl}`,
    `  SMTP    ${config.smtpHost}:${config.smtpPort}, for the addresses @${config.maskDomain}`,
    outgoing(config),
  ].join("\n");

/** A server that does nothing until it is started. */
export interface Server {
  /** Starts to listen and returns the function that stops the server in order. */
  readonly start: () => Promise<() => Promise<boolean>>;
}

/** Opens the database and connects all parts of the server. `dataDir` must exist. */
export const composeServer = async (config: Config): Promise<Server> => {
  const { maskDomain, publicUrl, dataDir, aiModel, postmaster, dnsServer, rspamdUrl } = config;
  const [clock, random] = [systemClock, cryptoRandom];
  const log = createLog(config.logLevel);
  const tls = await createTls(config, { clock, log });
  const database = await openStore(config, { beforeMigrating: createUpdateBackup(dataDir, clock.now) });
  const feed = createEventFeed(database, clock);

  const secrets = openSecrets(dataDir);
  const seal = createSeal(secrets.sealing, random);
  const dkimKeys = createDkimKeys({ database, seal, clock, domain: maskDomain });
  const activeKeys = createSigningKeys({ database, seal, clock }, dkimKeys.active);
  const dns = createResolver(dnsServer);
  const group = new GroupCommit(database, commitSize);
  const reserve = createDiskReserve({ dataDir, clock, log });
  const spool = createSpool(dataDir, database.engine.name === "sqlite", reserve.hasRoom);
  const beginContent = createBeginContent(spool);
  const encryptionPool = createWorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
  const sealDetail = createSealDetail(database.engine, encryptionPool);
  const logging = { database, group, seal: sealDetail, clock, random };
  const prepareStep = createPrepareStep(database.engine, sealDetail);
  const deliveredLog = database.engine.name === "sqlite" ? join(dataDir, "delivered.log") : null;
  const sending = createOutgoing(config, { database, activeKeys, deliveredLog, clock, random, log });
  const delivery = createDelivery({
    database,
    group,
    spool,
    deliveredLog: deliveredLog === null ? null : openDeliveredLog(deliveredLog),
    transport: createOwnedTransport({ transport: sending.transport, database, maskDomain }),
    giveUp: createHoldFailedMail({
      database,
      maskDomain,
      seal,
      hash: createKeyedHash(secrets.hashing),
      random,
    }),
    prepareDelayNotice,
    prepareStep,
    clock,
    random,
    log,
    onOwnerNotified: feed.wake,
    concurrency: config.nextHop === "mx" ? directConcurrency : nextHopConcurrency,
  });
  const stored$ = new Subject<void>();
  // Mails stored together are announced to the sockets together.
  stored$
    .pipe(throttleTime(feedIntervalMs, clock.scheduler, { leading: true, trailing: true }))
    .subscribe(feed.wake);
  const findEncryption = createFindEncryption({ database, pool: encryptionPool, clock, random, feed });
  const isInTrusted = createIsInNetworks(config.trustedNetworks);
  const isTrusted = (address: string): boolean => isLoopback(address) || isInTrusted(address);
  const receiver = createMailReceiver({
    maskDomain,
    publicUrl,
    postmaster,
    dnsServer,
    trustedNetworks: config.trustedNetworks,
    isUnlimited: (address) => isTrusted(address) || !isPublicAddress(address),
    trustedSealers: config.trustedSealers,
    senderLimits: config.senderLimits,
    repliesPerDay: config.repliesPerDay,
    rspamdUrl,
    database,
    group,
    fresh: delivery.fresh,
    segments: spool.segments,
    clock,
    random,
    log,
    findEncryption,
    mailLog: createMailLog(logging),
    sentLog: createSentLog(logging),
    prepareLastMails: createPrepareLastMails({ database, pool: encryptionPool, clock, random }),
    prepareStep,
    countMails: createCountMails(database),
    classifyMail: createClassifyMail({
      external: aiModel && createExternalModel(aiModel, clock),
      readHabits: ({ userId, maskId }, domain) => readSenderHabits(database.db, { userId, maskId, domain }),
    }),
    recordVerdict: createRecordVerdict(database, group, clock),
    secrets,
    changes$: feed.changes$,
    onQueued: (isWaiting) => {
      if (isWaiting) delivery.wake();
      stored$.next();
    },
  });
  const smtp = createSmtpServer({
    name: maskDomain,
    host: config.smtpHost,
    port: config.smtpPort,
    secureContext: tls.secureContext,
    clock,
    log,
    beginTransaction: receiver.beginTransaction,
    submission: null,
    startsWithTls: false,
    beginContent,
    isTrusted,
  });
  const { outgoing } = receiver;
  const submissionServers = createSubmissionServers({
    config,
    submission: outgoing && createSubmission({ database, maskDomain, publicUrl, outgoing, clock, log }),
    secureContext: tls.secureContext,
    clock,
    log,
    beginContent,
    isTrusted,
  });

  const checkStorage = createStorageCheck({
    dataDir,
    hasRoom: reserve.hasRoom,
    writeRow: delivery.writeRow,
    clock,
  });
  let accepting = false;
  const context = createServerContext({
    config,
    secrets,
    database,
    clock,
    random,
    log,
    feed,
    delivery,
    dns,
    patterns: loadRe2Patterns,
    submissionServer: submissionServers.address,
    installation: createInstallation(config, { dkimKeys, clock }),
    health: async () => {
      const problem = await checkStorage();
      const store = problem === null && (await isDatabaseReady(database));
      const parts = { http: accepting, smtp: smtp.ready(), store, delivery: delivery.ready() };
      return { parts, problems: problem === null ? [] : [problem] };
    },
  });
  const features = createFeatures(context);
  const http = await createHttpApp(context, features, {
    pageFolder,
    outbox: config.nextHop ? null : createOutbox(join(dataDir, "outbox")),
    outgoingFigures: sending.figures,
    hasRoom: reserve.hasRoom,
  });
  const heldNotices = createHeldNotices({
    ...context,
    links: createHeldLinks(context.hash, publicUrl),
    encryptToOwner: createEncryptToOwner(findEncryption),
    onQueued: delivery.wake,
  });

  let stopDelivery = async (): Promise<void> => {};
  const parts: readonly Part[] = [
    {
      name: "store",
      start: async () => {
        await applyDefaultTier(database, config.defaultTier, clock.now());
        if (config.operators.length > 0) await setOperators(database.db, config.operators);
      },
      stop: database.close,
    },
    toPart("diskReserve", () =>
      reserve.start(async () => {
        await spool.segments?.completeCurrent();
        await database.engine.purgeDeleted();
      }),
    ),
    { name: "dkim", start: dkimKeys.ensure, stop: () => {} },
    toPart("events", feed.start),
    // Clients connect only after the change feed has caught up.
    { name: "catch up", start: feed.catchUp, stop: () => {} },
    { name: "delivery", start: () => {}, stop: () => stopDelivery() },
    ...features.all.flatMap(({ jobs = [] }) => jobs),
    toPart("heldNotices", heldNotices.start),
    toPart("idleMemory", () => startIdleCollection(thisProcess(), clock)),
    toPart(
      "housekeeping",
      createHousekeeping({ database, clock, log, jobs: pruneJobsOf(features.all) }).start,
    ),
    toPart("receiver", () => async () => {
      await receiver.stop();
      await encryptionPool.stop();
    }),
    {
      name: "smtp",
      start: () =>
        startListening(
          {
            portVariable: "SMTP_PORT",
            port: config.smtpPort,
            hostVariable: config.smtpHost === config.host ? "HOST" : "SMTP_HOST",
            host: config.smtpHost,
          },
          smtp.start,
        ),
      stop: smtp.stop,
    },
    ...submissionServers.parts,
    {
      name: "http",
      start: async () => {
        const { port, host } = config;
        await startListening({ portVariable: "PORT", port, hostVariable: "HOST", host }, () =>
          http.listen({ port, host }),
        );
        accepting = true;
      },
      stop: () => {
        accepting = false;
        return http.close();
      },
    },
    ...tls.parts(http.server),
    // A process that cannot have its ports ends without having sent anything; delivery stops after them.
    {
      name: "sending",
      start: () => {
        stopDelivery = delivery.start();
      },
      stop: () => {},
    },
  ];
  return { start: () => startAll(parts) };
};
