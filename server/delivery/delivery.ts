import { firstValueFrom, from, interval, race, type Subscription, timer } from "rxjs";
import { dayMs, hourMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { Database } from "../store/database.ts";
import { newId } from "../store/id.ts";
import { createDeliverMail, createResultCommit } from "./deliverMail.ts";
import {
  leaseDueMails,
  pruneFinishedMails,
  type QueuedMail,
  releaseLeases,
  renewLeases,
} from "./queueQueries.ts";
import type { Transport } from "./transport.ts";

/** Delivers the queued mails. */
export interface Delivery {
  /** Checks the queue immediately; call it after a commit. */
  readonly wake: () => void;
  /** Starts to deliver and returns the function that stops within 5 s, whatever is being sent. */
  readonly start: () => () => Promise<void>;
  /** Whether delivery is running and the last read of the queue succeeded. */
  readonly ready: () => boolean;
}

export interface DeliveryDeps {
  readonly database: Database;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called when the owner of a mail was notified, so that the event feed can be woken. */
  readonly onOwnerNotified: () => void;
  /** Maximum number of mails that are sent at the same time. */
  readonly concurrency: number;
}

const pollIntervalMs = 1_000;
const leaseForMs = 60_000;
const renewIntervalMs = 20_000;
const pruneIntervalMs = hourMs;
const finishedRetentionMs = 7 * dayMs;
const maxLeased = 100;
const maxSendingBytes = 64 * 1024 * 1024;
const finishWithinMs = 3_500;
const abandonWithinMs = 1_000;

export const createDelivery = (deps: DeliveryDeps): Delivery => {
  const { database, transport, clock, random, log, concurrency, onOwnerNotified } = deps;
  const { db } = database;
  const lease = newId(random);
  const resultCommit = createResultCommit(database, clock, random);
  const deliverMail = createDeliverMail({ db, transport, resultCommit, clock, log, onOwnerNotified }, lease);
  const sending = new Map<string, Promise<void>>();
  let sendingBytes = 0;
  let leased: readonly QueuedMail[] = [];
  let running = false;
  let healthy = false;
  let isPumping = false;
  let isRerunNeeded = false;

  const send = (mail: QueuedMail): void => {
    sendingBytes += mail.size;
    const sent = deliverMail(mail).then(() => {
      sending.delete(mail.id);
      sendingBytes -= mail.size;
      wake();
    });
    sending.set(mail.id, sent);
  };

  const hasRoomFor = (mail: QueuedMail): boolean =>
    sending.size === 0 || (sending.size < concurrency && sendingBytes + mail.size <= maxSendingBytes);

  /** Sends leased mails while there is room; returns whether there is room for more. */
  const sendLeased = (): boolean => {
    for (let next = leased[0]; next && running; next = leased[0]) {
      if (!hasRoomFor(next)) return false;
      leased = leased.slice(1);
      send(next);
    }
    return sending.size < concurrency;
  };

  const pump = async (): Promise<void> => {
    do {
      isRerunNeeded = false;
      if (!sendLeased()) return;
      const now = clock.now();
      const found = await leaseDueMails(db, { count: maxLeased, lease, now, until: now + leaseForMs });
      healthy = true;
      leased = [...leased, ...found];
    } while (running && (leased.length > 0 || isRerunNeeded));
  };

  const wake = (): void => {
    isRerunNeeded = true;
    if (isPumping || !running) return;
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
  const renew = (): void => {
    const ids = [...sending.keys(), ...leased.map(({ id }) => id)];
    markUnhealthyOnError(renewLeases(db, lease, ids, clock.now() + leaseForMs));
  };
  const prune = (): void => markUnhealthyOnError(pruneFinishedMails(db, clock.now() - finishedRetentionMs));

  const allSent = (withinMs: number): Promise<unknown> =>
    firstValueFrom(race(from(Promise.all(sending.values())), timer(withinMs, clock.scheduler)));

  const stop = async (timers: Subscription): Promise<void> => {
    running = false;
    timers.unsubscribe();
    const unused = leased.map(({ id }) => id);
    leased = [];
    await releaseLeases(db, lease, unused).catch(() => {});
    await allSent(finishWithinMs);
    transport.abort();
    await allSent(abandonWithinMs);
    await resultCommit.whenIdle();
  };

  return {
    wake,
    start: () => {
      running = true;
      const timers = interval(pollIntervalMs, clock.scheduler).subscribe(wake);
      timers.add(interval(renewIntervalMs, clock.scheduler).subscribe(renew));
      timers.add(interval(pruneIntervalMs, clock.scheduler).subscribe(prune));
      prune();
      wake();
      return () => stop(timers);
    },
    ready: () => running && healthy,
  };
};
