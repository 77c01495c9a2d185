import { exhaustMap, firstValueFrom, from, interval, race, type Subscription, timer } from "rxjs";
import { dayMs, hourMs, minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../platform/ops/log.ts";
import type { SpoolFolder } from "../platform/spool/spoolFile.ts";
import type { Database } from "../platform/store/database.ts";
import type { GroupCommit } from "../platform/store/groupCommit.ts";
import { newId } from "../platform/store/id.ts";
import {
  createDeliverMail,
  createRecordResult,
  type GiveUp,
  type PrepareDelayNotice,
} from "./deliverMail.ts";
import type { PrepareStep } from "./mailLog/sealDetail.ts";
import { type DeliveredLog, recordDelivered } from "./queue/deliveredLog.ts";
import { beatIntervalMs, createLeaseHolders } from "./queue/leaseHolders.ts";
import { deleteUnusedBodies, listBodyFiles } from "./queue/queueBodies.ts";
import type { ReadCopy } from "./queue/queuedContent.ts";
import {
  expediteMails,
  leaseDueMails,
  pruneFinishedMails,
  type QueuedMail,
  releaseLeases,
} from "./queue/queueQueries.ts";
import { createSegmentSweep } from "./queue/segmentSweep.ts";
import type { Transport } from "./transport.ts";

/** Takes mails that were just stored, to deliver them without reading them again. */
export interface FreshMails {
  /** Returns the lease to store with these bytes of mail in memory, or null when the mails must wait in the store. */
  readonly reserve: (bytes: number) => string | null;
  /** Cancels a reservation whose mails were not stored. */
  readonly cancel: (bytes: number) => void;
  /** Takes a mail that was stored under the lease. */
  readonly add: (mail: QueuedMail, bytes: number, read: ReadCopy) => void;
}

/** Delivers the queued mails. */
export interface Delivery {
  /** Checks the queue immediately; call it after a commit. */
  readonly wake: () => void;
  readonly fresh: FreshMails;
  /** Starts to deliver and returns the function that stops within 5 s, even during a delivery. */
  readonly start: () => () => Promise<void>;
  /** Writes this process's row, to find out whether the database can be written; nothing while not running. */
  readonly writeRow: () => Promise<void>;
  /** Whether delivery is running and the last read of the queue succeeded. */
  readonly ready: () => boolean;
}

export interface DeliveryDeps {
  readonly database: Database;
  readonly group: GroupCommit;
  readonly spool: SpoolFolder;
  readonly transport: Transport;
  /** null where another process may continue this one's deliveries. */
  readonly deliveredLog: DeliveredLog | null;
  readonly giveUp: GiveUp;
  readonly prepareDelayNotice: PrepareDelayNotice;
  readonly prepareStep: PrepareStep;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called when the owner of a mail was notified, so that the event feed can be woken. */
  readonly onOwnerNotified: () => void;
  readonly concurrency: number;
}

const pollIntervalMs = 1_000;
const pruneIntervalMs = hourMs;
const segmentSweepIntervalMs = 10_000;
const finishedRetentionMs = 7 * dayMs;
/** Longer than any mail waits for its next attempt. */
const longestWaitMs = 5 * hourMs;
/** Longer than any mail takes to arrive. */
const sweepAgeMs = 2 * hourMs;
const maxLeased = 100;
const maxSendingBytes = 32 * 1024 * 1024;
const maxFreshBytes = 32 * 1024 * 1024;
const finishWithinMs = 3_500;
const abandonWithinMs = 1_000;

/** A mail leased by this process and not yet being sent. */
interface Held {
  readonly mail: QueuedMail;
  /** null when its bytes are in the store. */
  readonly read: ReadCopy | null;
  /** Bytes reserved in memory. */
  readonly bytes: number;
}

export const createDelivery = (deps: DeliveryDeps): Delivery => {
  const { database, group, spool, transport, clock, random, log, concurrency, deliveredLog } = deps;
  const { db } = database;
  const lease = newId(random);
  const holders = createLeaseHolders(database, lease);
  const recordResult = createRecordResult({ database, group, clock });
  const deliverMail = createDeliverMail({ ...deps, db, recordResult }, lease);
  const sending = new Map<string, Promise<void>>();
  let sendingBytes = 0;
  let freshBytes = 0;
  /** Mails in their order, starting at `firstHeld`. */
  let held: Held[] = [];
  let firstHeld = 0;
  let mayHaveMore = false;
  let running = false;
  let isListed = false;
  let healthy = false;
  let isPumping = false;
  let isRerunNeeded = false;

  const send = ({ mail, read, bytes }: Held): void => {
    sendingBytes += mail.size;
    const sent = deliverMail(mail, read).then(() => {
      sending.delete(mail.id);
      sendingBytes -= mail.size;
      freshBytes -= bytes;
      if (sendHeld() && mayHaveMore) wake();
    });
    sending.set(mail.id, sent);
  };

  const hasRoomFor = ({ mail }: Held): boolean =>
    sending.size === 0 || (sending.size < concurrency && sendingBytes + mail.size <= maxSendingBytes);

  /** Sends mails in order while there is room; returns whether there is room for more. */
  const sendHeld = (): boolean => {
    for (let next = held[firstHeld]; next && running && hasRoomFor(next); next = held[firstHeld]) {
      firstHeld += 1;
      send(next);
    }
    if (firstHeld < held.length) return false;
    [held, firstHeld] = [[], 0];
    return sending.size < concurrency;
  };

  const pump = async (): Promise<void> => {
    do {
      isRerunNeeded = false;
      if (!sendHeld()) {
        mayHaveMore = true;
        return;
      }
      const found = await leaseDueMails(db, { count: maxLeased, lease, now: clock.now() });
      healthy = true;
      mayHaveMore = found.length === maxLeased;
      for (const mail of found) held.push({ mail, read: null, bytes: 0 });
    } while (running && (held.length > 0 || isRerunNeeded));
  };

  const wake = (): void => {
    isRerunNeeded = true;
    if (isPumping || !running || !isListed) return;
    isPumping = true;
    pump()
      .catch((error: unknown) => {
        healthy = false;
        isRerunNeeded = false;
        log.error({ error: errorTrace(error) }, "reading the queue failed");
      })
      .finally(() => {
        isPumping = false;
        if (isRerunNeeded) wake();
      });
  };

  const markUnhealthyOnError = (work: Promise<unknown>): void => {
    work.catch(() => {
      healthy = false;
    });
  };
  const expedite = (): void => markUnhealthyOnError(expediteMails(db, clock.now(), longestWaitMs));
  const sweepSegments = createSegmentSweep(database, spool);
  const prune = async (sweepBefore: number): Promise<void> => {
    await pruneFinishedMails(db, clock.now() - finishedRetentionMs);
    await deleteUnusedBodies(db);
    await spool.sweep(await listBodyFiles(db), sweepBefore);
  };

  /** Leases nothing before this process is listed, because others would treat its leases as expired. */
  const enter = async (): Promise<void> => {
    if (isListed || !running) return;
    await holders.enter();
    await deliveredLog?.recover(async (ids) => {
      for (const file of await recordDelivered(database, ids, clock.now())) await spool.remove(file);
    });
    isListed = true;
    wake();
  };

  const allSent = (withinMs: number): Promise<unknown> =>
    firstValueFrom(race(from(Promise.all(sending.values())), timer(withinMs, clock.scheduler)));

  const stop = async (timers: Subscription): Promise<void> => {
    running = false;
    timers.unsubscribe();
    const unused = held.slice(firstHeld).map(({ mail }) => mail.id);
    [held, firstHeld] = [[], 0];
    await releaseLeases(db, lease, unused).catch(() => {});
    await allSent(finishWithinMs);
    transport.abort();
    await allSent(abandonWithinMs);
    await group.whenIdle();
    isListed = false;
    await holders.leave().catch(() => {});
    deliveredLog?.close();
  };

  return {
    wake,
    fresh: {
      reserve: (bytes) => {
        if (!running || !healthy || freshBytes + bytes > maxFreshBytes) return null;
        freshBytes += bytes;
        return lease;
      },
      cancel: (bytes) => {
        freshBytes -= bytes;
      },
      add: (mail, bytes, read) => {
        held.push({ mail, bytes, read });
        if (running) sendHeld();
        else {
          freshBytes -= bytes;
          markUnhealthyOnError(releaseLeases(db, lease, [mail.id]));
        }
      },
    },
    start: () => {
      running = true;
      const timers = interval(pollIntervalMs, clock.scheduler).subscribe(() => {
        markUnhealthyOnError(enter());
        wake();
      });
      timers.add(
        interval(beatIntervalMs, clock.scheduler).subscribe(() => markUnhealthyOnError(holders.beat())),
      );
      timers.add(interval(minuteMs, clock.scheduler).subscribe(expedite));
      timers.add(
        interval(pruneIntervalMs, clock.scheduler).subscribe(() =>
          markUnhealthyOnError(prune(Date.now() - sweepAgeMs)),
        ),
      );
      timers.add(
        interval(segmentSweepIntervalMs, clock.scheduler)
          .pipe(
            exhaustMap(() =>
              sweepSegments().catch((error: unknown) =>
                log.error({ error: errorTrace(error) }, "deleting files of delivered mail failed"),
              ),
            ),
          )
          .subscribe(),
      );
      expedite();
      markUnhealthyOnError(enter());
      markUnhealthyOnError(prune(Date.now()));
      return () => stop(timers);
    },
    writeRow: async () => {
      if (isListed) await holders.touch();
    },
    ready: () => running && healthy,
  };
};
