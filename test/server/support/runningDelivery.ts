import { randomBytes } from "node:crypto";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { GiveUp } from "../../../server/delivery/deliverMail.ts";
import { Delivery, type DeliveryDeps } from "../../../server/delivery/delivery.ts";
import { createPrepareStep, createSealDetail } from "../../../server/delivery/mailLog/sealDetail.ts";
import { enqueue } from "../../../server/delivery/queue/queueQueries.ts";
import { rowBodies } from "../../../server/delivery/queue/rowBodies.ts";
import type { Transport } from "../../../server/delivery/transport.ts";
import { createHoldFailedMail, prepareDelayNotice } from "../../../server/features/held/holdFailedMail.ts";
import { createKeyedHash } from "../../../server/platform/ops/keyedHash.ts";
import { createSeal, type Secrets } from "../../../server/platform/ops/secrets.ts";
import { noTracing } from "../../../server/platform/ops/tracing.ts";
import type { Database, Db } from "../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../server/platform/store/groupCommit.ts";
import { silent } from "./listener.ts";

export interface RunningDelivery extends Pick<Delivery, "wake" | "fresh" | "writeRow" | "ready"> {
  readonly stop: () => Promise<void>;
  /** Number of announced notifications. */
  readonly announcements: () => number;
}

/** Holds mail whose delivery is given up, with keys that a server of the test may share. */
export const giveUpWith = (
  database: Database,
  secrets: Pick<Secrets, "sealing" | "hashing">,
  maskDomain: string,
): GiveUp =>
  createHoldFailedMail({
    database,
    maskDomain,
    seal: createSeal(secrets.sealing, cryptoRandom),
    hash: createKeyedHash(secrets.hashing),
    random: cryptoRandom,
  });

/** Creates a group commit and an empty spool for a delivery that holds mail with keys of its own. */
export const newStorage = (
  database: Database,
): Pick<
  DeliveryDeps,
  "group" | "bodies" | "giveUp" | "prepareDelayNotice" | "prepareStep" | "deliveredLog" | "tracing"
> => ({
  prepareDelayNotice,
  tracing: noTracing,
  prepareStep: createPrepareStep(database.engine, createSealDetail(database.engine, null)),
  deliveredLog: null,
  giveUp: giveUpWith(database, { sealing: randomBytes(32), hashing: randomBytes(32) }, "masks.example"),
  group: new GroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 }),
  bodies: rowBodies,
});

export const startDelivery = (
  database: Database,
  transport: Transport,
  clock: Clock,
  concurrency = 4,
  options: Partial<DeliveryDeps> = {},
): RunningDelivery => {
  let announcements = 0;
  const onOwnerNotified = (): void => {
    announcements += 1;
  };
  const delivery = new Delivery({
    database,
    ...newStorage(database),
    transport,
    clock,
    random: { ...cryptoRandom, fraction: () => 0 },
    log: silent,
    onOwnerNotified,
    concurrency,
    ...options,
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
