import "reflect-metadata";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Bind, Container, ContainerModule, type ServiceIdentifier } from "inversify";
import { loadRe2Patterns } from "../adapters/re2/re2Patterns.ts";
import { cryptoRandom, systemClock } from "../adapters/system/clockAndRandom.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Random } from "../core/ports/random.ts";
import type { PaymentProvider } from "./billing/paymentProvider.ts";
import { createStripeProvider } from "./billing/stripeProvider.ts";
import type { Config } from "./config/config.ts";
import { createDelivery, type Delivery } from "./delivery/delivery.ts";
import { createNextHopTransport } from "./delivery/nextHopTransport.ts";
import { createOutbox, type Outbox } from "./delivery/outbox.ts";
import { createOutboxTransport } from "./delivery/outboxTransport.ts";
import { createPostmasterTransport, type Transport } from "./delivery/transport.ts";
import { createHttpApp } from "./httpApp.ts";
import { createClassifyMail, createExternalModel } from "./insights/classification.ts";
import { createEncryptMail, encryptionThreads } from "./mail/encryptCopies.ts";
import { createCountMails, createRecordVerdict } from "./mail/insightCounts.ts";
import type { EncryptionTask } from "./mail/pgpMime.ts";
import type { Log } from "./ops/log.ts";
import type { Secrets } from "./ops/secrets.ts";
import { postmasterAddress } from "./smtp/postmaster.ts";
import type { Certificate } from "./smtp/relayServer.ts";
import { createSmtpListener, type SmtpListener } from "./smtp/smtpListener.ts";
import type { Database } from "./store/database.ts";
import { createEventFeed, type EventFeed } from "./store/events.ts";
import { createWorkerPool } from "./workers/workerPool.ts";

/** Returns the readiness of each part of the server by name. */
export type Health = () => Promise<Readonly<Record<string, boolean>>>;

const token = <A>(name: string): ServiceIdentifier<A> => Symbol(name);

/** The identifiers of the objects in the container. */
export const ids = {
  config: token<Config>("config"),
  secrets: token<Secrets>("secrets"),
  log: token<Log>("log"),
  database: token<Database>("database"),
  health: token<Health>("health"),
  certificate: token<Certificate | null>("certificate"),
  clock: token<Clock>("clock"),
  random: token<Random>("random"),
  feed: token<EventFeed>("feed"),
  outbox: token<Outbox>("outbox"),
  transport: token<Transport>("departure"),
  delivery: token<Delivery>("delivery"),
  smtp: token<SmtpListener>("smtp"),
  provider: token<PaymentProvider | null>("provider"),
  httpApp: token<Promise<FastifyInstance>>("site"),
};

const pageFolder = join(import.meta.dirname, "../dist/web");
const deliveryConnections = 10;

const ports = new ContainerModule(({ bind }) => {
  bind(ids.clock).toConstantValue(systemClock);
  bind(ids.random).toConstantValue(cryptoRandom);
});

type DepIds<Deps> = { readonly [Name in keyof Deps]: ServiceIdentifier<Deps[Name]> };

/** Binds a singleton that is created from the named dependencies. */
const bindSingleton = <A, Deps extends object>(
  bind: Bind,
  id: ServiceIdentifier<A>,
  depIds: DepIds<Deps>,
  make: (deps: Deps) => A,
): void => {
  const names = Object.keys(depIds);
  const of = (deps: readonly unknown[]): Deps =>
    Object.fromEntries(names.map((name, at) => [name, deps[at]])) as Deps;
  bind<unknown>(id)
    .toResolvedValue((...deps: unknown[]) => make(of(deps)), Object.values(depIds))
    .inSingletonScope();
};

const { config, secrets, log, database, health, certificate, clock, random, feed } = ids;
const { outbox, transport, delivery, provider } = ids;

const mail = new ContainerModule(({ bind }) => {
  bindSingleton(bind, feed, { database, clock }, (deps) => createEventFeed(deps.database, deps.clock));
  bindSingleton(bind, outbox, { config }, (deps) => createOutbox(join(deps.config.dataDir, "outbox")));
  bindSingleton(bind, transport, { config }, (deps): Transport => {
    const { nextHop, maskDomain, dataDir } = deps.config;
    const outboxTransport = createOutboxTransport(join(dataDir, "outbox"));
    if (!nextHop) return outboxTransport;
    const sending = createNextHopTransport(nextHop, maskDomain, deliveryConnections);
    return createPostmasterTransport(postmasterAddress(maskDomain), { sending, outbox: outboxTransport });
  });
  bindSingleton(bind, delivery, { database, transport, clock, random, log, feed }, (deps) =>
    createDelivery({ ...deps, onOwnerNotified: deps.feed.wake, concurrency: deliveryConnections }),
  );
  const smtpDeps = { config, certificate, database, clock, random, log, feed, delivery };
  bindSingleton(bind, ids.smtp, smtpDeps, (deps) => {
    const { smtpHost: host, smtpPort, maskDomain, postmaster, dnsServer, rspamdUrl, aiModel } = deps.config;
    const pool = createWorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
    return createSmtpListener({
      settings: {
        host,
        smtpPort,
        maskDomain,
        postmaster,
        certificate: deps.certificate,
        dnsServer,
        rspamdUrl,
      },
      database: deps.database,
      clock: deps.clock,
      random: deps.random,
      log: deps.log,
      encryptMail: createEncryptMail({ ...deps, pool }),
      countMails: createCountMails(deps.database.engine),
      noteVerdict: createRecordVerdict(deps.database, deps.clock),
      classifyMail: createClassifyMail({ external: aiModel && createExternalModel(aiModel, deps.clock) }),
      onQueued: () => {
        deps.delivery.wake();
        deps.feed.wake();
      },
    });
  });
});

const http = new ContainerModule(({ bind }) => {
  bindSingleton(bind, provider, { config, clock }, (deps): PaymentProvider | null => {
    const { billing, publicUrl } = deps.config;
    return billing && createStripeProvider(billing, `${publicUrl}/`, deps.clock.now);
  });
  const httpAppDeps = {
    config,
    secrets,
    database,
    clock,
    random,
    log,
    feed,
    delivery,
    outbox,
    health,
    provider,
  };
  bindSingleton(bind, ids.httpApp, httpAppDeps, (deps) =>
    createHttpApp({
      ...deps,
      patterns: loadRe2Patterns,
      pageFolder,
      outbox: deps.config.nextHop ? null : deps.outbox,
    }),
  );
});

/** The objects that exist before the container. */
export interface ContainerDeps {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly database: Database;
  /** The certificate for STARTTLS; null disables STARTTLS. */
  readonly certificate: Certificate | null;
  readonly health: Health;
}

/** Creates the container; nothing is started. */
export const createContainer = (deps: ContainerDeps): Container => {
  const container = new Container({ jitless: true });
  container.bind(ids.config).toConstantValue(deps.config);
  container.bind(ids.secrets).toConstantValue(deps.secrets);
  container.bind(ids.log).toConstantValue(deps.log);
  container.bind(ids.database).toConstantValue(deps.database);
  container.bind(ids.certificate).toConstantValue(deps.certificate);
  container.bind(ids.health).toConstantValue(deps.health);
  container.load(ports, mail, http);
  return container;
};
