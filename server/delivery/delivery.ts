import { firstValueFrom, from, interval, race, type Subscription, timer } from "rxjs";
import { dayMs, hourMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/database.ts";
import { newId } from "../store/id.ts";
import { type LeasedMail, leaseDue, releaseLeases, renewLeases } from "../store/queueLeases.ts";
import { pruneFinished } from "../store/queueOutcomes.ts";
import { traceOf } from "../trace.ts";
import { makeAttempt } from "./attempt.ts";
import type { Departure } from "./departure.ts";
import { makeSettlement } from "./settlement.ts";

/** Empties the queue. */
export interface Delivery {
  /** Looks at the queue at once: call it after a commit. */
  readonly wake: () => void;
  /** Begins to deliver, and hands back how to stop: within 5 s, whatever is under way. */
  readonly start: () => () => Promise<void>;
  /** Whether the queue is being emptied and could be read the last time. */
  readonly ready: () => boolean;
}

export interface DeliveryParts {
  readonly database: Database;
  readonly departure: Departure;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Told when the owner of a mail was told something: nudge the event feed. */
  readonly announced: () => void;
  /** How many mails are sent at the same time. */
  readonly concurrency: number;
}

const pollEachMs = 1_000;
const leaseForMs = 60_000;
const renewEachMs = 20_000;
const pruneEachMs = hourMs;
const finishedKeptForMs = 7 * dayMs;
const leasedAtOnce = 100;
const bytesAtOnce = 64 * 1024 * 1024;
const finishWithinMs = 3_500;
const abandonWithinMs = 1_000;

export const makeDelivery = (parts: DeliveryParts): Delivery => {
  const { database, departure, clock, random, log, concurrency, announced } = parts;
  const { db } = database;
  const lease = newId(random);
  const settlement = makeSettlement(database, clock, random);
  const attempt = makeAttempt({ db, departure, settlement, clock, log, announced }, lease);
  const sending = new Map<string, Promise<void>>();
  let sendingBytes = 0;
  let leased: readonly LeasedMail[] = [];
  let running = false;
  let healthy = false;
  let pumping = false;
  let again = false;

  const send = (mail: LeasedMail): void => {
    sendingBytes += mail.size;
    const sent = attempt(mail).then(() => {
      sending.delete(mail.id);
      sendingBytes -= mail.size;
      wake();
    });
    sending.set(mail.id, sent);
  };

  const hasRoomFor = (mail: LeasedMail): boolean =>
    sending.size === 0 || (sending.size < concurrency && sendingBytes + mail.size <= bytesAtOnce);

  /** Sends what is leased as far as there is room; true when there is room for more. */
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
      again = false;
      if (!sendLeased()) return;
      const now = clock.now();
      const found = await leaseDue(db, { count: leasedAtOnce, lease, now, until: now + leaseForMs });
      healthy = true;
      leased = [...leased, ...found];
    } while (running && (leased.length > 0 || again));
  };

  const wake = (): void => {
    again = true;
    if (pumping || !running) return;
    pumping = true;
    pump()
      .catch((error: unknown) => {
        healthy = false;
        again = false;
        log.error({ error: traceOf(error) }, "the queue cannot be read");
      })
      .finally(() => {
        pumping = false;
        if (again) wake();
      });
  };

  const ignoring = (work: Promise<unknown>): void => {
    work.catch(() => {
      healthy = false;
    });
  };
  const renew = (): void => {
    const held = [...sending.keys(), ...leased.map(({ id }) => id)];
    ignoring(renewLeases(db, lease, held, clock.now() + leaseForMs));
  };
  const prune = (): void => ignoring(pruneFinished(db, clock.now() - finishedKeptForMs));

  const allSent = (withinMs: number): Promise<unknown> =>
    firstValueFrom(race(from(Promise.all(sending.values())), timer(withinMs, clock.scheduler)));

  const stop = async (timers: Subscription): Promise<void> => {
    running = false;
    timers.unsubscribe();
    const unused = leased.map(({ id }) => id);
    leased = [];
    await releaseLeases(db, lease, unused).catch(() => {});
    await allSent(finishWithinMs);
    departure.abandon();
    await allSent(abandonWithinMs);
    await settlement.idle();
  };

  return {
    wake,
    start: () => {
      running = true;
      const timers = interval(pollEachMs, clock.scheduler).subscribe(wake);
      timers.add(interval(renewEachMs, clock.scheduler).subscribe(renew));
      timers.add(interval(pruneEachMs, clock.scheduler).subscribe(prune));
      prune();
      wake();
      return () => stop(timers);
    },
    ready: () => running && healthy,
  };
};
