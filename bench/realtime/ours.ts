import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { systemClock as clock, cryptoRandom as random } from "../../adapters/system/clockAndRandom.ts";
import { addNotification } from "../../server/features/notifications/notificationQueries.ts";
import {
  createHandleNotificationMessage,
  createNotificationFeature,
} from "../../server/features/notifications/notificationSocket.ts";
import { sessionCookies } from "../../server/features/session/sessionCookies.ts";
import { createSessions, endedSession } from "../../server/features/session/sessions.ts";
import { createSessionTokens } from "../../server/features/session/sessionToken.ts";
import { readConfig } from "../../server/platform/config/config.ts";
import { cookieJarOf } from "../../server/platform/http/cookieJar.ts";
import { createHttpServer } from "../../server/platform/http/httpServer.ts";
import { createKeyedHash } from "../../server/platform/ops/keyedHash.ts";
import { createSeal } from "../../server/platform/ops/secrets.ts";
import { noTracing } from "../../server/platform/ops/tracing.ts";
import { createOwnRates } from "../../server/platform/rates/rates.ts";
import { SocketHub } from "../../server/platform/socket/socketHub.ts";
import { socketRoutes } from "../../server/platform/socket/socketRoutes.ts";
import { openDatabase } from "../../server/platform/store/database.ts";
import { EventFeed } from "../../server/platform/store/eventFeed.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { addOwner } from "../../test/server/support/owners.ts";
import type { Place, Subject } from "./subject.ts";

const hello = [JSON.stringify({ type: "subscribe", data: { channel: "notifications" } })];

/**
 * Starts our server on SQLite with accounts that share the sockets. An event is a notification for each
 * account, all in one synced commit, which the sockets receive by way of the event feed. The limit of ten
 * sockets per account is lifted.
 */
export const startOurs = async (folder: string, accounts: number, sockets: number): Promise<Subject> => {
  mkdirSync(folder, { recursive: true });
  const config = readConfig({ DATA_DIR: folder });
  const database = await openDatabase(sqliteEngine(join(folder, "bauta.db")));
  const feed = new EventFeed(database, clock);
  const tokens = createSessionTokens(randomBytes(32));
  const hash = createKeyedHash(randomBytes(32));
  const sessions = createSessions({ database, hash, clock, random, feed }, tokens);
  const seal = createSeal(randomBytes(32), random);
  const features = [createNotificationFeature(database, seal)];
  const hub = new SocketHub({ features, endedSession, clock, maxSockets: sockets });
  const server = await createHttpServer({
    ...config,
    configuration: { brand: config.brand, maskDomain: config.maskDomain },
    connectOrigins: [],
    takesPayments: false,
    tracing: noTracing,
    hasRoom: () => true,
    isProxy: () => true,
    log: pino({ level: "silent" }),
    metrics: new Registry(),
    rates: createOwnRates(clock.now),
    clock,
    pageFolder: folder,
    compatibleApis: [],
    routes: [
      socketRoutes({
        hub,
        features,
        handleFeatureMessage: createHandleNotificationMessage({ database, seal, clock, feed }),
        feed,
        sessions,
        readSessionCookie: cookieJarOf(config.publicUrl, sessionCookies.session).read,
        clock,
        random,
        origins: config,
      }),
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
      feed.wake();
    },
    stop: async () => {
      stopFeed();
      await server.close();
      await database.close();
    },
  };
};
