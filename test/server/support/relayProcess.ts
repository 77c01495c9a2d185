// A separate server process for tests that kill it: store, SMTP and delivery to the outbox. Arguments: its folder, and "http" with
// a secret for mail in by HTTP, or `ObjectRelay` as JSON for PostgreSQL with an object store and a next hop instead. It prints the port it
// listens on.

import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fastify } from "fastify";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { Delivery } from "../../../server/delivery/delivery.ts";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import { openDeliveredLog } from "../../../server/delivery/queue/deliveredLog.ts";
import { createFileBodies } from "../../../server/delivery/queue/fileBodies.ts";
import { createObjectBodies } from "../../../server/delivery/queue/objectBodies.ts";
import { createOutboxTransport } from "../../../server/delivery/queue/outboxTransport.ts";
import { inboundRoutes } from "../../../server/features/inbound/inboundRoutes.ts";
import { S3Client, type S3Place } from "../../../server/platform/objects/s3Client.ts";
import { createLog } from "../../../server/platform/ops/log.ts";
import { noTracing } from "../../../server/platform/ops/tracing.ts";
import { createBeginContent } from "../../../server/platform/spool/arrivingContent.ts";
import { createSpool } from "../../../server/platform/spool/spoolFile.ts";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../server/platform/store/groupCommit.ts";
import { postgresqlEngine } from "../../../server/platform/store/postgresql.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { createListener } from "./listener.ts";

/** What a process with an object store has instead of its folder. */
export interface ObjectRelay {
  readonly databaseUrl: string;
  readonly place: S3Place;
  readonly hopPort: number;
}

const [, , folder = ".", kind = "smtp", secret = ""] = process.argv;
const isBeside = kind !== "smtp" && kind !== "http";
const beside = isBeside ? (JSON.parse(kind) as ObjectRelay) : null;
const database = await openDatabase(
  beside
    ? postgresqlEngine(beside.databaseUrl, { clock: systemClock, random: cryptoRandom })
    : sqliteEngine(join(folder, "bauta.db")),
);
const spool = createSpool(folder, beside === null);
const storage = {
  group: new GroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 }),
  bodies: beside
    ? createObjectBodies({
        objects: new S3Client(beside.place),
        onDamaged: () => {},
        database,
        clock: systemClock,
        log: createLog("silent"),
      })
    : createFileBodies(database, spool),
};
const common = {
  database,
  clock: systemClock,
  random: cryptoRandom,
  log: createLog("silent"),
  tracing: noTracing,
};
const delivery = new Delivery({
  ...common,
  ...storage,
  deliveredLog: beside ? null : openDeliveredLog(join(folder, "delivered.log")),
  transport: beside
    ? createNextHopTransport({ host: "127.0.0.1", port: beside.hopPort, secure: false }, "masks.example", 4)
    : createOutboxTransport(join(folder, "outbox")),
  giveUp: async () => null,
  prepareDelayNotice: async () => null,
  prepareStep: async () => ({ text: null, isSealed: false }),
  onOwnerNotified: () => {},
  concurrency: 8,
});
const listener = await createListener({
  ...common,
  group: storage.group,
  fresh: delivery.fresh,
  bodies: storage.bodies,
  beginContent: createBeginContent(spool),
  onQueued: delivery.wake,
});
delivery.start();

const listenForPosts = async (): Promise<{ readonly port: number }> => {
  const http = fastify();
  const routes = inboundRoutes({
    ...{ secret, signingKey: null },
    ...{
      intake: listener.intake,
      clock: systemClock,
      getFromPublicHost: async () => ({ failure: "stopped" }),
    },
  });
  http.register(async (scope) => routes(scope));
  await http.listen({ host: "127.0.0.1", port: 0 });
  return { port: (http.server.address() as AddressInfo).port };
};

const { port } = await (kind === "http" ? listenForPosts() : listener.start());
process.stdout.write(`${port}\n`);
