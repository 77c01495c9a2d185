import "reflect-metadata";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Bind, Container, ContainerModule, type ServiceIdentifier } from "inversify";
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
import type { ClearMail } from "./encryption/encryptedMail.ts";
import { encryptionThreads, makeMailEncryption } from "./encryption/mailEncryption.ts";
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
  departure: token<Departure>("departure"),
  delivery: token<Delivery>("delivery"),
  smtp: token<SmtpListener>("smtp"),
  provider: token<Provider | null>("provider"),
  site: token<Promise<FastifyInstance>>("site"),
};

const pageFolder = join(import.meta.dirname, "../dist/web");
const deliveryConnections = 10;

const ports = new ContainerModule(({ bind }) => {
  bind(ids.clock).toConstantValue(systemClock);
  bind(ids.random).toConstantValue(cryptoRandom);
});

type Wanted<Parts> = { readonly [Name in keyof Parts]: ServiceIdentifier<Parts[Name]> };

/** Binds what is made once, of parts by their names. */
const single = <A, Parts extends object>(
  bind: Bind,
  made: ServiceIdentifier<A>,
  wanted: Wanted<Parts>,
  make: (parts: Parts) => A,
): void => {
  const names = Object.keys(wanted);
  const of = (parts: readonly unknown[]): Parts =>
    Object.fromEntries(names.map((name, at) => [name, parts[at]])) as Parts;
  bind<unknown>(made)
    .toResolvedValue((...parts: unknown[]) => make(of(parts)), Object.values(wanted))
    .inSingletonScope();
};

const { config, secrets, log, database, health, certificate, clock, random, feed } = ids;
const { outbox, departure, delivery, provider } = ids;

const mail = new ContainerModule(({ bind }) => {
  single(bind, feed, { database, clock }, (parts) => makeEventFeed(parts.database, parts.clock));
  single(bind, outbox, { config }, (parts) => makeOutbox(join(parts.config.dataDir, "outbox")));
  single(bind, departure, { config }, (parts): Departure => {
    const { nextHop, maskDomain, dataDir } = parts.config;
    const kept = outboxDeparture(join(dataDir, "outbox"));
    if (!nextHop) return kept;
    const sending = nextHopDeparture(nextHop, maskDomain, deliveryConnections);
    return postmasterDeparture(postmasterOf(maskDomain), { sending, outbox: kept });
  });
  single(bind, delivery, { database, departure, clock, random, log, feed }, (parts) =>
    makeDelivery({ ...parts, announced: parts.feed.nudge, concurrency: deliveryConnections }),
  );
  const relay = { config, certificate, database, clock, random, log, feed, delivery };
  single(bind, ids.smtp, relay, (parts) => {
    const { smtpHost: host, smtpPort, maskDomain, postmaster, dnsServer, rspamdUrl, aiModel } = parts.config;
    const pool = makeWorkerPool<ClearMail, Uint8Array | null>(encryptionThreads);
    return makeSmtpListener({
      settings: {
        host,
        smtpPort,
        maskDomain,
        postmaster,
        certificate: parts.certificate,
        dnsServer,
        rspamdUrl,
      },
      database: parts.database,
      clock: parts.clock,
      random: parts.random,
      log: parts.log,
      encryptMail: makeMailEncryption({ ...parts, pool }),
      countMails: makeCountMails(parts.database.engine),
      noteVerdict: makeNoteVerdict(parts.database, parts.clock),
      categoryOf: makeCategoryOf({ external: aiModel && makeExternalModel(aiModel, parts.clock) }),
      queued: () => {
        parts.delivery.wake();
        parts.feed.nudge();
      },
    });
  });
});

const http = new ContainerModule(({ bind }) => {
  single(bind, provider, { config, clock }, (parts): Provider | null => {
    const { billing, publicUrl } = parts.config;
    return billing && makeStripeProvider(billing, `${publicUrl}/`, parts.clock.now);
  });
  const all = {
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
  single(bind, ids.site, all, (parts) =>
    makeSite({
      ...parts,
      patterns: loadRe2Patterns,
      pageFolder,
      outbox: parts.config.nextHop ? null : parts.outbox,
    }),
  );
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
  container.bind(ids.config).toConstantValue(givens.config);
  container.bind(ids.secrets).toConstantValue(givens.secrets);
  container.bind(ids.log).toConstantValue(givens.log);
  container.bind(ids.database).toConstantValue(givens.database);
  container.bind(ids.certificate).toConstantValue(givens.certificate);
  container.bind(ids.health).toConstantValue(givens.health);
  container.load(ports, mail, http);
  return container;
};
