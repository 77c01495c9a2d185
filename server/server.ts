import { join } from "node:path";
import { applyDefaultTier } from "./billing/changePlan.ts";
import { createCustomerDeletion } from "./billing/customerDeletion.ts";
import type { Config } from "./config/config.ts";
import { readCertificate, startListening, withSettingError } from "./config/resources.ts";
import { createContainer, ids } from "./container.ts";
import { createDigest } from "./delivery/digest.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { isLoopbackOrigin } from "./http/loopback.ts";
import { createRetention } from "./insights/retention.ts";
import { type Part, startAll } from "./ops/lifecycle.ts";
import { createLog } from "./ops/log.ts";
import { openSecrets } from "./ops/secrets.ts";
import { type Database, openDatabase } from "./store/database.ts";
import type { EventFeed } from "./store/events.ts";
import { postgresqlEngine } from "./store/postgresql.ts";
import { sqliteEngine } from "./store/sqlite.ts";

const outgoing = ({ nextHop, publicUrl, dataDir }: Config): string => {
  if (nextHop) return `  Out     ${nextHop.host}:${nextHop.port}`;
  const place = isLoopbackOrigin(publicUrl) ? `${publicUrl}/outbox` : join(dataDir, "outbox");
  return `  Outbox  ${place} (NEXT_HOP is not set; codes and forwarded mail are stored there)`;
};

/**
 * Returns the start message for the operator: the addresses of the app, the SMTP server, and the outbox or
 * next hop.
 */
export const greeting = (config: Config): string =>
  [
    `${config.brand} is ready.`,
    `  App     ${config.publicUrl}`,
    `  SMTP    ${config.smtpHost}:${config.smtpPort}, for the addresses @${config.maskDomain}`,
    outgoing(config),
  ].join("\n");

const isDatabaseReady = (database: Database): Promise<boolean> =>
  database.db
    .selectFrom("users")
    .select("id")
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );

/** Creates a part from a start function that returns its stop function. */
const toPart = (name: string, begin: () => () => Promise<void> | void): Part => {
  let end: () => Promise<void> | void = () => {};
  return {
    name,
    start: () => {
      end = begin();
    },
    stop: () => end(),
  };
};

/**
 * Creates the part that runs the change feed; its start resolves when the feed has caught up, before clients
 * can connect.
 */
const feedPart = (feed: EventFeed): Part => {
  let end = (): void => {};
  return {
    name: "events",
    start: () => {
      end = feed.start();
      return feed.catchUp();
    },
    stop: () => end(),
  };
};

const openStore = ({ databaseUrl, dataDir }: Config): Promise<Database> =>
  databaseUrl
    ? withSettingError(
        "DATABASE_URL is set; expected a database that can be reached and opened with it",
        () => openDatabase(postgresqlEngine(databaseUrl)),
      )
    : withSettingError(
        `DATA_DIR is ${JSON.stringify(dataDir)}; expected a folder with a valid bauta.db`,
        () => openDatabase(sqliteEngine(join(dataDir, "bauta.db"))),
      );

/**
 * Opens the database and creates the server; `start` starts to listen and returns the function that stops it
 * in order. `dataDir` must exist.
 */
export const composeServer = async (
  config: Config,
): Promise<{ readonly start: () => Promise<() => Promise<boolean>> }> => {
  const log = createLog(config.logLevel);
  const certificate = await readCertificate(config.tls);
  const database = await openStore(config);
  let accepting = false;
  const health = async (): Promise<Readonly<Record<string, boolean>>> => ({
    http: accepting,
    smtp: smtp.ready(),
    store: await isDatabaseReady(database),
    delivery: delivery.ready(),
  });
  const container = createContainer({
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
  const http = await container.getAsync(ids.httpApp);
  const [clock, random] = [container.get(ids.clock), container.get(ids.random)];
  const digest = createDigest({ database, clock, random, log, sender: config, onQueued: delivery.wake });

  const provider = container.get(ids.provider);

  const parts: readonly Part[] = [
    {
      name: "store",
      start: async () => {
        if (config.defaultTier) await applyDefaultTier(database, config.defaultTier, clock.now());
      },
      stop: database.close,
    },
    feedPart(feed),
    ...(provider
      ? [toPart("farewells", createCustomerDeletion({ database, provider, clock, log }).start)]
      : []),
    toPart("delivery", delivery.start),
    toPart("digest", digest.start),
    toPart("retention", createRetention(database, clock, log).start),
    toPart("housekeeping", createHousekeeping(database, clock, log).start),
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
  ];
  return { start: () => startAll(parts) };
};
