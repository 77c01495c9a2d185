import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { createDelivery, type Delivery } from "../../../server/delivery/delivery.ts";
import { enqueue } from "../../../server/delivery/queueQueries.ts";
import type { Transport } from "../../../server/delivery/transport.ts";
import type { Database, Db } from "../../../server/store/database.ts";
import { silent } from "./listener.ts";

/** A delivery that has begun. */
export interface RunningDelivery extends Delivery {
  readonly stop: () => Promise<void>;
  /** How often it said that an owner was told something. */
  readonly announcements: () => number;
}

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

/** Puts a mail into the queue, one of our own unless told otherwise. */
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
