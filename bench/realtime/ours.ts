import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { cryptoRandom as random } from "../../adapters/system/cryptoRandom.ts";
import { systemClock as clock } from "../../adapters/system/systemClock.ts";
import { readConfig } from "../../server/config/config.ts";
import { makeHttpServer } from "../../server/http/httpServer.ts";
import { makeCookies } from "../../server/identity/cookies.ts";
import { makeKeyedHash } from "../../server/identity/keyedHash.ts";
import { makeSessions } from "../../server/identity/sessions.ts";
import { makeSessionTokens } from "../../server/identity/sessionToken.ts";
import { makeUserNotifications } from "../../server/notifications/userNotifications.ts";
import { makeAnnounce } from "../../server/socket/announcement.ts";
import { makeSocketHub } from "../../server/socket/socketHub.ts";
import { socketRoutes } from "../../server/socket/socketRoutes.ts";
import { openDatabase } from "../../server/store/database.ts";
import { makeEventFeed } from "../../server/store/events.ts";
import { addNotification } from "../../server/store/notifications.ts";
import { sqliteEngine } from "../../server/store/sqlite.ts";
import { addOwner } from "../../test/server/support/owners.ts";
import type { Place, Subject } from "./subject.ts";

const hello = [JSON.stringify({ type: "subscribe", data: { channel: "notifications" } })];

/**
 * Our server on SQLite, with so many accounts that share the sockets. What happens is a notification for each account,
 * all in one commit that is synced; the sockets hear of it by way of the feed of changes. The limit of ten sockets for
 * one account is lifted here.
 */
export const startOurs = async (folder: string, accounts: number, sockets: number): Promise<Subject> => {
  mkdirSync(folder, { recursive: true });
  const config = readConfig({ DATA_DIR: folder });
  const database = await openDatabase(sqliteEngine(join(folder, "bauta.db")));
  const feed = makeEventFeed(database, clock);
  const cookies = makeCookies(config.publicUrl);
  const tokens = makeSessionTokens(randomBytes(32));
  const sessions = makeSessions({
    database,
    tokens,
    hash: makeKeyedHash(randomBytes(32)),
    clock,
    random,
    feed,
  });
  const notifications = makeUserNotifications({ database, clock, feed });
  const hub = makeSocketHub(makeAnnounce(database), clock, sockets);
  const server = await makeHttpServer({
    ...config,
    connectTo: [],
    takesPayments: false,
    log: pino({ level: "silent" }),
    pageFolder: folder,
    routes: [
      socketRoutes({ database, hub, feed, sessions, notifications, cookies, clock, random, origins: config }),
    ],
  });
  const stopFeed = feed.start();
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;

  const userIds: string[] = [];
  const places: Place[] = [];
  for (let account = 0; account < accounts; account++) {
    const { id } = await addOwner(database.db);
    const { token, cookie } = await sessions.open(database.db, id, "bench");
    userIds.push(id);
    const address = `ws://127.0.0.1:${port}/ws?token=${token}`;
    const place = { address, headers: { cookie: `maskSession=${cookie}` }, hello };
    places.push(...Array.from({ length: sockets / accounts }, () => place));
  }
  const whose = accounts === 1 ? "one account" : `${accounts} accounts`;
  return {
    name: `Bauta, SQLite, a synced commit, ${whose}`,
    places,
    happen: async (message) => {
      const now = clock.now();
      await database.transaction(async (db) => {
        for (const userId of userIds)
          await addNotification(db, { userId, type: "info", priority: "normal", message }, now);
      });
      feed.nudge();
    },
    stop: async () => {
      stopFeed();
      await server.close();
      await database.close();
    },
  };
};
