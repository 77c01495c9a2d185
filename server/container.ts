import "reflect-metadata";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { Container, ContainerModule, type ServiceIdentifier } from "inversify";
import { loadRe2Patterns } from "../adapters/re2/re2Patterns.ts";
import { cryptoRandom } from "../adapters/system/cryptoRandom.ts";
import { systemClock } from "../adapters/system/systemClock.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Random } from "../core/ports/random.ts";
import type { Provider } from "./billing/provider.ts";
import { makeStripeProvider } from "./billing/stripeProvider.ts";
import { makeCategoryOf } from "./classification/categoryOf.ts";
import { makeExternalModel } from "./classification/externalModel.ts";
import type { Config } from "./config/config.ts";
import { type Delivery, makeDelivery } from "./delivery/delivery.ts";
import type { Departure } from "./delivery/departure.ts";
import { nextHopDeparture } from "./delivery/nextHopDeparture.ts";
import { postmasterDeparture } from "./delivery/postmasterDeparture.ts";
import { makeSeal, sealThreads } from "./encryption/seal.ts";
import type { ClearMail } from "./encryption/sealedMail.ts";
import { makeCountMails } from "./insights/countMails.ts";
import { makeNoteVerdict } from "./insights/noteVerdict.ts";
import type { Log } from "./log.ts";
import { makeOutbox, type Outbox } from "./outbox/outbox.ts";
import { outboxDeparture } from "./outbox/outboxDeparture.ts";
import type { Secrets } from "./secrets.ts";
import { makeSite } from "./site/site.ts";
import { postmasterOf } from "./smtp/postmaster.ts";
import type { Certificate } from "./smtp/relayServer.ts";
import { makeSmtpListener, type SmtpListener } from "./smtp/smtpServer.ts";
import type { Database } from "./store/database.ts";
import { type EventFeed, makeEventFeed } from "./store/events.ts";
import { makeWorkerPool } from "./workers/workerPool.ts";

/** Which parts of the server are ready, by name. */
export type Health = () => Promise<Readonly<Record<string, boolean>>>;

const token = <A>(name: string): ServiceIdentifier<A> => Symbol(name);

/** What the container can be asked for. */
export const T = {
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
  departure: token<Departure>("departure"),
  delivery: token<Delivery>("delivery"),
  smtp: token<SmtpListener>("smtp"),
  provider: token<Provider | null>("provider"),
  site: token<Promise<FastifyInstance>>("site"),
};

const pageFolder = join(import.meta.dirname, "../dist/web");
const deliveryConnections = 10;

const ports = new ContainerModule(({ bind }) => {
  bind(T.clock).toConstantValue(systemClock);
  bind(T.random).toConstantValue(cryptoRandom);
});

const mail = new ContainerModule(({ bind }) => {
  bind(T.feed).toResolvedValue(makeEventFeed, [T.database, T.clock]).inSingletonScope();
  bind(T.outbox)
    .toResolvedValue(({ dataDir }: Config) => makeOutbox(join(dataDir, "outbox")), [T.config])
    .inSingletonScope();
  bind(T.departure)
    .toResolvedValue(
      ({ nextHop, maskDomain, dataDir }: Config): Departure => {
        const outbox = outboxDeparture(join(dataDir, "outbox"));
        if (!nextHop) return outbox;
        const sending = nextHopDeparture(nextHop, maskDomain, deliveryConnections);
        return postmasterDeparture(postmasterOf(maskDomain), { sending, outbox });
      },
      [T.config],
    )
    .inSingletonScope();
  bind(T.delivery)
    .toResolvedValue(
      (database: Database, departure: Departure, clock: Clock, random: Random, log: Log, feed: EventFeed) =>
        makeDelivery({
          database,
          departure,
          clock,
          random,
          log,
          announced: feed.nudge,
          concurrency: deliveryConnections,
        }),
      [T.database, T.departure, T.clock, T.random, T.log, T.feed],
    )
    .inSingletonScope();
  bind(T.smtp)
    .toResolvedValue(
      (
        config: Config,
        certificate: Certificate | null,
        database: Database,
        clock: Clock,
        random: Random,
        log: Log,
        feed: EventFeed,
        delivery: Delivery,
      ) => {
        const queued = (): void => {
          delivery.wake();
          feed.nudge();
        };
        const { smtpHost: host, smtpPort, maskDomain, postmaster, dnsServer, rspamdUrl } = config;
        const settings = { host, smtpPort, maskDomain, postmaster, certificate, dnsServer, rspamdUrl };
        const pool = makeWorkerPool<ClearMail, Uint8Array>(sealThreads);
        const seal = makeSeal({ database, pool, clock, random, feed });
        const countMails = makeCountMails(database.engine);
        const categoryOf = makeCategoryOf({
          external: config.aiModel && makeExternalModel(config.aiModel, clock),
        });
        return makeSmtpListener({
          settings,
          database,
          clock,
          random,
          log,
          seal,
          countMails,
          noteVerdict: makeNoteVerdict(database, clock),
          categoryOf,
          queued,
        });
      },
      [T.config, T.certificate, T.database, T.clock, T.random, T.log, T.feed, T.delivery],
    )
    .inSingletonScope();
});

const http = new ContainerModule(({ bind }) => {
  bind(T.provider)
    .toResolvedValue(
      ({ billing, publicUrl }: Config, { now }: Clock) =>
        billing && makeStripeProvider(billing, `${publicUrl}/`, now),
      [T.config, T.clock],
    )
    .inSingletonScope();
  bind(T.site)
    .toResolvedValue(
      (
        config: Config,
        secrets: Secrets,
        database: Database,
        clock: Clock,
        random: Random,
        log: Log,
        feed: EventFeed,
        delivery: Delivery,
        outbox: Outbox,
        health: Health,
        provider: Provider | null,
      ) =>
        makeSite({
          config,
          secrets,
          database,
          clock,
          random,
          log,
          feed,
          delivery,
          patterns: loadRe2Patterns,
          pageFolder,
          outbox: config.nextHop ? null : outbox,
          health,
          provider,
        }),
      [
        T.config,
        T.secrets,
        T.database,
        T.clock,
        T.random,
        T.log,
        T.feed,
        T.delivery,
        T.outbox,
        T.health,
        T.provider,
      ],
    )
    .inSingletonScope();
});

/** What is known before anything is made. */
export interface Givens {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly database: Database;
  /** What STARTTLS is offered with; null: it is not. */
  readonly certificate: Certificate | null;
  readonly health: Health;
}

/** Puts the server together; nothing runs yet. */
export const makeContainer = (givens: Givens): Container => {
  const container = new Container({ jitless: true });
  container.bind(T.config).toConstantValue(givens.config);
  container.bind(T.secrets).toConstantValue(givens.secrets);
  container.bind(T.log).toConstantValue(givens.log);
  container.bind(T.database).toConstantValue(givens.database);
  container.bind(T.certificate).toConstantValue(givens.certificate);
  container.bind(T.health).toConstantValue(givens.health);
  container.load(ports, mail, http);
  return container;
};
