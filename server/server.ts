import { join } from "node:path";
import { applyDefaultTier } from "./billing/defaultTier.ts";
import { makeFarewells } from "./billing/farewells.ts";
import { readCertificate } from "./config/certificate.ts";
import type { Config } from "./config/config.ts";
import { listening, usable } from "./config/unusable.ts";
import { ids, makeContainer } from "./container.ts";
import { makeDigest } from "./digest/digest.ts";
import { makeHousekeeping } from "./housekeeping.ts";
import { makeRetention } from "./insights/retention.ts";
import { type Part, startAll } from "./lifecycle.ts";
import { makeLog } from "./log.ts";
import { openSecrets } from "./secrets.ts";
import { type Database, openDatabase } from "./store/database.ts";
import type { EventFeed } from "./store/events.ts";
import { postgresqlEngine } from "./store/postgresql.ts";
import { sqliteEngine } from "./store/sqlite.ts";

const answers = (database: Database): Promise<boolean> =>
  database.db
    .selectFrom("users")
    .select("id")
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );

/** Something that begins when it is told to and hands back how to end. */
const running = (name: string, begin: () => () => Promise<void> | void): Part => {
  let end: () => Promise<void> | void = () => {};
  return {
    name,
    start: () => {
      end = begin();
    },
    stop: () => end(),
  };
};

/** The feed of changes, which has found its place before anybody can connect and miss one. */
const events = (feed: EventFeed): Part => {
  let end = (): void => {};
  return {
    name: "events",
    start: () => {
      end = feed.start();
      return feed.caughtUp();
    },
    stop: () => end(),
  };
};

const openStore = ({ databaseUrl, dataDir }: Config): Promise<Database> =>
  databaseUrl
    ? usable("DATABASE_URL is set; it wants a database that can be reached and opened with it", () =>
        openDatabase(postgresqlEngine(databaseUrl)),
      )
    : usable(`DATA_DIR is ${JSON.stringify(dataDir)}; it wants a folder with a sound bauta.db`, () =>
        openDatabase(sqliteEngine(join(dataDir, "bauta.db"))),
      );

/**
 * Opens the store and puts the server together; `start` begins to listen and hands back how to stop in order.
 * `dataDir` must exist.
 */
export const makeServer = async (
  config: Config,
): Promise<{ readonly start: () => Promise<() => Promise<boolean>> }> => {
  const log = makeLog(config.logLevel);
  const certificate = await readCertificate(config.tls);
  const database = await openStore(config);
  let accepting = false;
  const health = async (): Promise<Readonly<Record<string, boolean>>> => ({
    http: accepting,
    smtp: smtp.ready(),
    store: await answers(database),
    delivery: delivery.ready(),
  });
  const container = makeContainer({
    config,
    secrets: openSecrets(config.dataDir),
    log,
    database,
    certificate,
    health,
  });
  const [smtp, delivery, feed] = [
    container.get(ids.smtp),
    container.get(ids.delivery),
    container.get(ids.feed),
  ];
  const http = await container.getAsync(ids.site);
  const [clock, random] = [container.get(ids.clock), container.get(ids.random)];
  const digest = makeDigest({ database, clock, random, log, sender: config, queued: delivery.wake });

  const provider = container.get(ids.provider);

  const parts: readonly Part[] = [
    {
      name: "store",
      start: async () => {
        if (config.defaultTier) await applyDefaultTier(database, config.defaultTier, clock.now());
      },
      stop: database.close,
    },
    events(feed),
    ...(provider ? [running("farewells", makeFarewells({ database, provider, clock, log }).start)] : []),
    running("delivery", delivery.start),
    running("digest", digest.start),
    running("retention", makeRetention(database, clock, log).start),
    running("housekeeping", makeHousekeeping(database, clock, log).start),
    {
      name: "smtp",
      start: () =>
        listening(
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
    {
      name: "http",
      start: async () => {
        const { port, host } = config;
        await listening({ portVariable: "PORT", port, hostVariable: "HOST", host }, () =>
          http.listen({ port, host }),
        );
        accepting = true;
      },
      stop: () => {
        accepting = false;
        return http.close();
      },
    },
  ];
  return { start: () => startAll(parts) };
};
