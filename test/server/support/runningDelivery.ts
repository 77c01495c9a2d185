import { tmpdir } from "node:os";
import { join } from "node:path";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { createDelivery, type Delivery, type DeliveryDeps } from "../../../server/delivery/delivery.ts";
import { enqueue } from "../../../server/delivery/queueQueries.ts";
import type { Transport } from "../../../server/delivery/transport.ts";
import { createSpoolFolder } from "../../../server/spool/spoolFile.ts";
import type { Database, Db } from "../../../server/store/database.ts";
import { createGroupCommit } from "../../../server/store/groupCommit.ts";
import { silent } from "./listener.ts";

export interface RunningDelivery extends Delivery {
  readonly stop: () => Promise<void>;
  /** Number of announced notifications. */
  readonly announcements: () => number;
}

/** Creates a group commit and an empty spool for a delivery. */
export const newStorage = (database: Database): Pick<DeliveryDeps, "group" | "spool"> => ({
  group: createGroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 }),
  spool: createSpoolFolder(join(tmpdir(), "bauta-no-spool"), false),
});

export const startDelivery = (
  database: Database,
  transport: Transport,
  clock: Clock,
  concurrency = 4,
): RunningDelivery => {
  let announcements = 0;
  const onOwnerNotified = (): void => {
    announcements += 1;
  };
  const delivery = createDelivery({
    database,
    ...newStorage(database),
    transport,
    clock,
    random: { ...cryptoRandom, fraction: () => 0 },
    log: silent,
    onOwnerNotified,
    concurrency,
  });
  return { ...delivery, stop: delivery.start(), announcements: () => announcements };
};

export interface QueuedMail {
  readonly userId?: string;
  readonly maskId?: string;
  readonly envelopeSender?: string;
  readonly recipient?: string;
  readonly content?: Uint8Array;
}

/** Adds a mail to the queue; by default a mail of the service. */
export const queueMail = (db: Db, mail: QueuedMail, now: number): Promise<string> =>
  enqueue(
    db,
    {
      userId: mail.userId ?? null,
      maskId: mail.maskId ?? null,
      envelopeSender: mail.envelopeSender ?? "bounces@masks.example",
      recipient: mail.recipient ?? "someone@home.example",
      content: mail.content ?? Buffer.from("Subject: x\r\n\r\nx\r\n"),
    },
    { now, random: cryptoRandom },
  );
