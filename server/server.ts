import { join } from "node:path";
import type { Config } from "./config/config.ts";
import { makeContainer, T } from "./container.ts";
import { makeHousekeeping } from "./identity/housekeeping.ts";
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

/**
 * Opens the store and puts the server together; `start` begins to listen and hands back how to stop in order.
 * `dataDir` must exist.
 */
export const makeServer = async (
  config: Config,
): Promise<{ readonly start: () => Promise<() => Promise<boolean>> }> => {
  const log = makeLog(config.logLevel);
  const database = await openDatabase(
    config.databaseUrl
      ? postgresqlEngine(config.databaseUrl)
      : sqliteEngine(join(config.dataDir, "bauta.db")),
  );
  let accepting = false;
  const health = async (): Promise<Readonly<Record<string, boolean>>> => ({
    http: accepting,
    smtp: smtp.ready(),
    store: await answers(database),
    delivery: delivery.ready(),
  });
  const container = makeContainer({ config, secrets: openSecrets(config.dataDir), log, database, health });
  const [smtp, delivery, feed] = [container.get(T.smtp), container.get(T.delivery), container.get(T.feed)];
  const http = await container.getAsync(T.site);

  const parts: readonly Part[] = [
    { name: "store", start: () => {}, stop: database.close },
    events(feed),
    running("delivery", delivery.start),
    running("housekeeping", makeHousekeeping(database, container.get(T.clock), log).start),
    { name: "smtp", start: async () => void (await smtp.start()), stop: smtp.stop },
    {
      name: "http",
      start: async () => {
        await http.listen({ port: config.port, host: config.host });
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
