// A server process of its own, to be killed: store, SMTP and delivery to the outbox. Its folder is the argument; it
// prints the port it listens on.
import { join } from "node:path";
import { cryptoRandom } from "../../../adapters/system/cryptoRandom.ts";
import { systemClock } from "../../../adapters/system/systemClock.ts";
import { makeDelivery } from "../../../server/delivery/delivery.ts";
import { makeLog } from "../../../server/log.ts";
import { outboxDeparture } from "../../../server/outbox/outboxDeparture.ts";
import { makeSmtpListener } from "../../../server/smtp/smtpServer.ts";
import { openDatabase } from "../../../server/store/database.ts";
import { sqliteEngine } from "../../../server/store/sqlite.ts";

const folder = process.argv[2] ?? ".";
const database = await openDatabase(sqliteEngine(join(folder, "bauta.db")));
const common = { database, clock: systemClock, random: cryptoRandom, log: makeLog("silent") };
const delivery = makeDelivery({
  ...common,
  departure: outboxDeparture(join(folder, "outbox")),
  announced: () => {},
  concurrency: 8,
});
const listener = makeSmtpListener({
  ...common,
  settings: { host: "127.0.0.1", smtpPort: 0, maskDomain: "masks.example" },
  queued: delivery.wake,
});
delivery.start();
const { port } = await listener.start();
process.stdout.write(`${port}\n`);
