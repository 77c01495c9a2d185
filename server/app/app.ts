import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createOtlpClient } from "../../adapters/otel/otlpClient.ts";
import { loadRe2Patterns } from "../../adapters/re2/re2Patterns.ts";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { ServerContext } from "../context/serverContext.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { createOutbox } from "../delivery/queue/outbox.ts";
import { applyDefaultTier } from "../features/billing/changePlan.ts";
import { removeTakenNames } from "../features/masks/removeTakenNames.ts";
import { createResolver } from "../features/operator/installationChecks.ts";
import { createInstallation } from "../features/operator/liveInstallation.ts";
import { type Config, sellsPlans } from "../platform/config/config.ts";
import { startListening } from "../platform/config/configuredResources.ts";
import { createIsInNetworks } from "../platform/dns/networkRanges.ts";
import { createMetricsListener, type MetricsListenerDeps } from "../platform/http/metricsListener.ts";
import { measureProcess } from "../platform/metrics/processMetrics.ts";
import { createHousekeeping } from "../platform/ops/housekeeping.ts";
import { startIdleCollection, thisProcess } from "../platform/ops/idleMemory.ts";
import { createInTime } from "../platform/ops/inTime.ts";
import { type Part, startAll, toPart } from "../platform/ops/lifecycle.ts";
import { createPublicHttpClient, createPublicHttpReader } from "../platform/outgoing/publicHttpClient.ts";
import { createStorageCheck } from "../platform/storage/storageCheck.ts";
import { isDatabaseReady } from "../platform/store/database.ts";
import { setOperators } from "../platform/store/users.ts";
import { createRelayContext, type RelayOptions } from "./createRelayContext.ts";
import { createServerContext } from "./createServerContext.ts";
import type {} from "./databaseTables.ts";
import { createServerFeatures } from "./features.ts";
import { createHttpApp } from "./httpApp.ts";
import { createIncomingMail } from "./incomingMail.ts";
import { createServerMetrics } from "./metrics.ts";
import { createOutgoingMail } from "./outgoingMail.ts";
import { pruneJobsOf } from "./pruneJobs.ts";
import { openResources, type Resources } from "./resources.ts";
import { createServerTracing } from "./serverTracing.ts";

const isThisMachine = createIsInNetworks(["loopback", "0.0.0.0/32", "::/128"]);

const isOwnAddress = (address: string): boolean =>
  isThisMachine(address) ||
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));

/** Creates the check whether this server listens at an address and port. */
const createIsOwnListener = (
  ports: readonly (number | null | undefined)[],
): ((address: string, port: number) => boolean) => {
  const own = new Set(ports);
  return (address, port) => own.has(port) && isOwnAddress(address);
};

/** A store that takes longer is not ready. */
const storeAnswersWithinMs = 1_500;

const pageFolder = join(import.meta.dirname, "../../dist/web");

/** The ports where this server may listen. */
const listenedPorts = ({
  port,
  smtpPort,
  metrics,
  ...config
}: Config): readonly (number | null | undefined)[] => [
  port,
  smtpPort,
  config.submissionPort,
  config.submissionsPort,
  metrics.listen?.port,
  ...(config.acme ? [config.acme.httpPort, config.acme.httpsPort] : []),
];

/** A server that does nothing until it is started. */
export interface Server {
  /** Starts to listen and returns the function that stops the server in order. */
  readonly start: () => Promise<() => Promise<boolean>>;
}

/** Returns the parts that must have started before anything uses the store. */
const storeParts = ({
  config,
  database,
  clock,
  random,
  log,
  reserve,
  spool,
  objects,
  dkimKeys,
  feed,
  startRates,
}: Resources): readonly Part[] => [
  {
    name: "store",
    start: async () => {
      await applyDefaultTier(database, config.defaultTier, {
        sellsPlans: sellsPlans(config),
        now: clock.now(),
      });
      if (config.operators.length > 0) await setOperators(database.db, config.operators.map(mailboxKey));
      await removeTakenNames({ database, clock, random, log, sender: config });
    },
    stop: database.close,
  },
  ...(objects ? [{ name: "objects", start: () => {}, stop: objects.close }] : []),
  toPart("diskReserve", () =>
    reserve.start(async () => {
      await spool.segments?.completeCurrent();
      await database.engine.purgeDeleted();
    }),
  ),
  { name: "dkim", start: dkimKeys.ensure, stop: () => {} },
  toPart("events", feed.start),
  toPart("rates", startRates),
  // Clients connect only after the change feed has caught up.
  { name: "catch up", start: feed.catchUp, stop: () => {} },
];

/** The servers that take mail; the receiver ends after them. */
const mailParts = (
  { config, encryptionPool, keyPool }: Resources,
  { stop, smtp, submissionServers, mailbox }: ReturnType<typeof createIncomingMail>,
): readonly Part[] => [
  toPart("receiver", () => async () => {
    await stop();
    await encryptionPool.stop();
    await keyPool.stop();
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
  ...(mailbox ? [mailbox] : []),
];

/** The listener for monitors, which ends after what it watches. */
const metricsParts = (
  { metrics: { listen, token } }: Config,
  watched: Pick<MetricsListenerDeps, "read" | "health" | "log">,
): readonly Part[] => {
  if (listen === null) return [];
  const { host, port } = listen;
  const listener = createMetricsListener({ ...watched, host, port, token });
  const variable = "METRICS_LISTEN";
  return [
    {
      name: "metrics",
      start: () =>
        startListening({ portVariable: variable, port, hostVariable: variable, host }, listener.start),
      stop: listener.stop,
    },
  ];
};

/** Creates what reads whether each part works; `isAccepting` says whether requests are taken. */
const createReadHealth = (
  resources: Resources,
  {
    delivery,
    isSmtpReady,
    isAccepting,
  }: {
    readonly delivery: Pick<Delivery, "writeRow" | "ready">;
    readonly isSmtpReady: () => boolean;
    readonly isAccepting: () => boolean;
  },
): ServerContext["health"] => {
  const checkStorage = createStorageCheck({
    dataDir: resources.config.dataDir,
    hasRoom: resources.reserve.hasRoom,
    writeRow: delivery.writeRow,
    clock: resources.clock,
  });
  const askObjects = createInTime<string | null>(
    storeAnswersWithinMs,
    async () => (await resources.objects?.check()) ?? null,
    "The object store answers too slowly. Mail waits meanwhile, and nothing has to be restarted.",
  );
  const askStore = createInTime<{ readonly problem: string | null; readonly store: boolean }>(
    storeAnswersWithinMs,
    async () => {
      const problem = await checkStorage();
      return { problem, store: problem === null && (await isDatabaseReady(resources.database)) };
    },
    { problem: null, store: false },
  );
  return async () => {
    const [{ problem, store }, ofObjects] = await Promise.all([askStore(), askObjects()]);
    const parts = {
      http: isAccepting(),
      smtp: isSmtpReady(),
      store,
      ...(resources.objects && { objects: ofObjects === null }),
      delivery: delivery.ready(),
    };
    return { parts, problems: [problem, ofObjects].filter((one) => one !== null) };
  };
};

/** Nobody's mail is proven by where it comes from. */
const asOperated: RelayOptions = { provenOnLoopback: null };

/** Opens the database and connects all parts of the server. `dataDir` must exist. The options are for the demo only. */
export const composeServer = async (config: Config, options = asOperated): Promise<Server> => {
  const ports = { clock: systemClock, random: cryptoRandom };
  const tracing = createServerTracing(config, createOtlpClient, ports);
  const resources = await openResources(config, { ...ports, tracing });
  const { secrets, database, clock, random, log, feed, rates, bodies, dkimKeys, reserve, tls } = resources;
  const delivery = await createOutgoingMail(resources);
  const relay = createRelayContext(resources, delivery, options);

  let accepting = false;
  const publicHosts = {
    networks: config.webhookNetworks,
    isOwnListener: createIsOwnListener(listenedPorts(config)),
  };
  const context = createServerContext({
    config,
    secrets,
    database,
    clock,
    random,
    log,
    feed,
    rates,
    delivery,
    bodies,
    dns: createResolver(config.dnsServer),
    patterns: loadRe2Patterns,
    submissionServer: () => incoming.submissionServers.address(),
    relay,
    encryptionPool: resources.encryptionPool,
    installation: createInstallation(config, { dkimKeys, clock }),
    postToPublicHost: createPublicHttpClient(publicHosts),
    getFromPublicHost: createPublicHttpReader(publicHosts),
    keyPool: resources.keyPool,
    health: createReadHealth(resources, {
      delivery,
      isSmtpReady: () => incoming.smtp.ready(),
      isAccepting: () => accepting,
    }),
  });
  const metrics = createServerMetrics(resources.metrics.registry, context);
  measureProcess(metrics.registry, (await context.installation.version()).running);
  const features = await createServerFeatures(context);
  const incoming = createIncomingMail(resources, context, relay, features);
  const http = await createHttpApp(context, features, {
    pageFolder,
    outbox: config.nextHop ? null : createOutbox(join(config.dataDir, "outbox")),
    metrics,
    tracing,
    hasRoom: reserve.hasRoom,
    intake: incoming.intake,
  });
  let stopDelivery = async (): Promise<void> => {};
  const parts: readonly Part[] = [
    ...storeParts(resources),
    ...metricsParts(config, { ...context, read: metrics.read }),
    { name: "delivery", start: () => {}, stop: () => stopDelivery() },
    ...features.all.flatMap(({ jobs = [] }) => jobs),
    toPart("idleMemory", () => startIdleCollection(thisProcess(), clock)),
    toPart(
      "housekeeping",
      createHousekeeping({ database, clock, log, jobs: pruneJobsOf(features.all) }).start,
    ),
    ...mailParts(resources, incoming),
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
      // The first that stops: the server is not ready from now on.
      stop: () => {
        accepting = false;
      },
    },
  ];
  return { start: () => startAll(parts) };
};
