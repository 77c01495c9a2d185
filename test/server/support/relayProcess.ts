// A separate server process for tests that kill it: store, SMTP and delivery to the outbox. Argument: its folder. It
// prints the port it listens on.

import { join } from "node:path";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createDelivery } from "../../../server/delivery/delivery.ts";
import { openDeliveredLog } from "../../../server/delivery/queue/deliveredLog.ts";
import { createFileBodies } from "../../../server/delivery/queue/fileBodies.ts";
import { createOutboxTransport } from "../../../server/delivery/queue/outboxTransport.ts";
import { createLog } from "../../../server/platform/ops/log.ts";
import { noTracing } from "../../../server/platform/ops/tracing.ts";
import { createBeginContent } from "../../../server/platform/spool/arrivingContent.ts";
import { createSpool } from "../../../server/platform/spool/spoolFile.ts";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../server/platform/store/groupCommit.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { createListener } from "./listener.ts";

const folder = process.argv[2] ?? ".";
const database = await openDatabase(sqliteEngine(join(folder, "bauta.db")));
const spool = createSpool(folder, true);
const storage = {
  group: new GroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 }),
  bodies: createFileBodies(database, spool),
};
const common = {
  database,
  clock: systemClock,
  random: cryptoRandom,
  log: createLog("silent"),
  tracing: noTracing,
};
const delivery = createDelivery({
  ...common,
  ...storage,
  deliveredLog: openDeliveredLog(join(folder, "delivered.log")),
  transport: createOutboxTransport(join(folder, "outbox")),
  giveUp: async () => null,
  prepareDelayNotice: async () => null,
  prepareStep: async () => ({ text: null, isSealed: false }),
  onOwnerNotified: () => {},
  concurrency: 8,
});
const listener = createListener({
  ...common,
  group: storage.group,
  fresh: delivery.fresh,
  bodies: storage.bodies,
  beginContent: createBeginContent(spool),
  onQueued: delivery.wake,
});
delivery.start();
const { port } = await listener.start();
process.stdout.write(`${port}\n`);
