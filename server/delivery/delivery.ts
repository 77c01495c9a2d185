import { exhaustMap, firstValueFrom, from, interval, race, type Subscription, timer } from "rxjs";
import { dayMs, hourMs, minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../platform/ops/log.ts";
import type { Tracing } from "../platform/ops/tracing.ts";
import type { Database } from "../platform/store/database.ts";
import type { GroupCommit } from "../platform/store/groupCommit.ts";
import { newId } from "../platform/store/id.ts";
import { SharedTasks } from "../platform/store/sharedTasks.ts";
import { beatIntervalMs } from "../platform/store/signsOfLife.ts";
import {
  createRecordResult,
  type DeliverDeps,
  deliverMail,
  type GiveUp,
  type OnResult,
  type PrepareDelayNotice,
} from "./deliverMail.ts";
import type { PrepareStep } from "./mailLog/sealDetail.ts";
import type { BodyStore } from "./queue/bodyStore.ts";
import { type DeliveredLog, recordDelivered } from "./queue/deliveredLog.ts";
import { makeQueueDays, pruneFinishedMails } from "./queue/finishedMails.ts";
import { createLeaseHolders } from "./queue/leaseHolders.ts";
import { deleteUnusedBodies } from "./queue/queueBodies.ts";
import type { ReadCopy } from "./queue/queuedContent.ts";
import { expediteMails, leaseDueMails, type QueuedMail, releaseLeases } from "./queue/queueQueries.ts";
import type { Transport } from "./transport.ts";

/** Takes mails that were just stored, to deliver them without reading them again. */
export interface FreshMails {
  /** Returns the lease to store with these bytes of mail on their way, or null when the mails must wait in the store. */
  readonly reserve: (bytes: number) => string | null;
  /** Cancels a reservation whose mails were not stored. */
  readonly cancel: (bytes: number) => void;
  /** Takes a mail that was stored under the lease. */
  readonly add: (mail: QueuedMail, bytes: number, read: ReadCopy) => void;
}

export interface DeliveryDeps {
  readonly database: Database;
  readonly group: GroupCommit;
  readonly bodies: BodyStore;
  readonly transport: Transport;
  /** null where another process may continue this one's deliveries. */
  readonly deliveredLog: DeliveredLog | null;
  readonly giveUp: GiveUp;
  readonly prepareDelayNotice: PrepareDelayNotice;
  readonly prepareStep: PrepareStep;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tracing: Pick<Tracing, "attempt">;
  /** Called when the owner of a mail was notified, so that the event feed can be woken. */
  readonly onOwnerNotified: () => void;
  /** Called with the result of each attempt. */
  readonly onResult?: OnResult;
  readonly concurrency: number;
}

const pollIntervalMs = 1_000;
const pruneIntervalMs = hourMs;
const sweepIntervalMs = 10_000;
/** The days for which a mail stays in the queue that was delivered or given up. */
export const finishedDays = 7;
/** Longer than any mail waits for its next attempt. */
const longestWaitMs = 5 * hourMs;
const maxLeased = 100;
const maxSendingBytes = 32 * 1024 * 1024;
/** Bytes of new mail on its way to its first attempt, which does not count as kept yet. */
export const maxFreshBytes = 32 * 1024 * 1024;
const finishWithinMs = 3_500;
const abandonWithinMs = 1_000;

/** A mail leased by this process and not yet being sent. */
interface LeasedMail {
  readonly mail: QueuedMail;
  /** null when its bytes are in the store. */
  readonly read: ReadCopy | null;
  /** Bytes reserved for its first attempt. */
  readonly bytes: number;
}

/**
 * Delivers the queued mails: leases them to itself and sends them.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #lease: string;
  readonly #holders: ReturnType<typeof createLeaseHolders>;
  readonly #attempt: DeliverDeps;
  readonly #tasks: SharedTasks;
  readonly #sending = new Map<string, Promise<void>>();
  #sendingBytes = 0;
  #freshBytes = 0;
  /** Mails in their order, starting at `firstLeased`. */
  #leased: LeasedMail[] = [];
  #firstLeased = 0;
  #mayHaveMore = false;
  #running = false;
  #isListed = false;
  #healthy = false;
  #isPumping = false;
  #isRerunNeeded = false;

  constructor(deps: DeliveryDeps) {
    const { database, random } = deps;
    this.#deps = deps;
    this.#lease = newId(random);
    this.#holders = createLeaseHolders(database, this.#lease);
    this.#tasks = new SharedTasks(database, deps.clock);
    this.#attempt = {
      ...deps,
      lease: this.#lease,
      db: database.db,
      recordResult: createRecordResult(deps),
    };
  }

  /** Checks the queue immediately; call it after a commit. */
  readonly wake = (): void => {
    this.#isRerunNeeded = true;
    if (this.#isPumping || !this.#running || !this.#isListed) return;
    this.#isPumping = true;
    this.#pump()
      .catch((error: unknown) => {
        this.#healthy = false;
        this.#isRerunNeeded = false;
        this.#deps.log.error({ error: errorTrace(error) }, "reading the queue failed");
      })
      .finally(() => {
        this.#isPumping = false;
        if (this.#isRerunNeeded) this.wake();
      });
  };

  readonly fresh: FreshMails = {
    reserve: (bytes) => {
      if (!this.#running || !this.#healthy || this.#freshBytes + bytes > maxFreshBytes) return null;
      this.#freshBytes += bytes;
      return this.#lease;
    },
    cancel: (bytes) => {
      this.#freshBytes -= bytes;
    },
    add: (mail, bytes, read) => {
      this.#leased.push({ mail, bytes, read });
      if (this.#running) this.#sendLeased();
      else {
        this.#freshBytes -= bytes;
        this.#markUnhealthyOnError(releaseLeases(this.#deps.database.db, this.#lease, [mail.id]));
      }
    },
  };

  /** Starts to deliver and returns the function that stops within 5 s, even during a delivery. */
  readonly start = (): (() => Promise<void>) => {
    this.#running = true;
    const timers = this.#every(pollIntervalMs, () => {
      this.#markUnhealthyOnError(this.#enter());
      this.wake();
    });
    timers.add(this.#every(beatIntervalMs, () => this.#markUnhealthyOnError(this.#holders.beat())));
    timers.add(this.#every(minuteMs, () => this.#expedite()));
    timers.add(this.#every(pruneIntervalMs, () => this.#markUnhealthyOnError(this.#prune())));
    timers.add(
      interval(sweepIntervalMs, this.#deps.clock.scheduler)
        .pipe(
          exhaustMap(() =>
            this.#deps.bodies
              .sweep()
              .catch((error: unknown) =>
                this.#deps.log.error(
                  { error: errorTrace(error) },
                  "deleting files of delivered and deleted mail failed",
                ),
              ),
          ),
        )
        .subscribe(),
    );
    this.#expedite();
    this.#markUnhealthyOnError(this.#enter());
    this.#markUnhealthyOnError(this.#prune().then(() => this.#deps.bodies.sweep()));
    return () => this.#stop(timers);
  };

  /** Writes this process's row, to find out whether the database can be written; nothing while not running. */
  readonly writeRow = async (): Promise<void> => {
    if (this.#isListed) await this.#holders.touch();
  };

  /** Returns whether delivery is running and the last read of the queue succeeded. */
  readonly ready = (): boolean => this.#running && this.#healthy;

  #send({ mail, read, bytes }: LeasedMail): void {
    this.#sendingBytes += mail.size;
    const sent = deliverMail(this.#attempt, mail, read).then(() => {
      this.#sending.delete(mail.id);
      this.#sendingBytes -= mail.size;
      this.#freshBytes -= bytes;
      if (this.#sendLeased() && this.#mayHaveMore) this.wake();
    });
    this.#sending.set(mail.id, sent);
  }

  #hasRoomFor({ mail }: LeasedMail): boolean {
    return (
      this.#sending.size === 0 ||
      (this.#sending.size < this.#deps.concurrency && this.#sendingBytes + mail.size <= maxSendingBytes)
    );
  }

  /** Sends mails in order while there is room; returns whether there is room for more. */
  #sendLeased(): boolean {
    for (
      let next = this.#leased[this.#firstLeased];
      next && this.#running && this.#hasRoomFor(next);
      next = this.#leased[this.#firstLeased]
    ) {
      this.#firstLeased += 1;
      this.#send(next);
    }
    if (this.#firstLeased < this.#leased.length) return false;
    [this.#leased, this.#firstLeased] = [[], 0];
    return this.#sending.size < this.#deps.concurrency;
  }

  async #pump(): Promise<void> {
    do {
      this.#isRerunNeeded = false;
      if (!this.#sendLeased()) {
        this.#mayHaveMore = true;
        return;
      }
      const found = await leaseDueMails(this.#deps.database, {
        count: maxLeased,
        lease: this.#lease,
        now: this.#deps.clock.now(),
      });
      this.#healthy = true;
      this.#mayHaveMore = found.length === maxLeased;
      for (const mail of found) this.#leased.push({ mail, read: null, bytes: 0 });
    } while (this.#running && (this.#leased.length > 0 || this.#isRerunNeeded));
  }

  #every(ms: number, work: () => void): Subscription {
    return interval(ms, this.#deps.clock.scheduler).subscribe(work);
  }

  #markUnhealthyOnError(work: Promise<unknown>): void {
    work.catch(() => {
      this.#healthy = false;
    });
  }

  #expedite(): void {
    this.#markUnhealthyOnError(expediteMails(this.#deps.database.db, this.#deps.clock.now(), longestWaitMs));
  }

  #prune(): Promise<void> {
    const { database, clock } = this.#deps;
    const run = async (): Promise<void> => {
      await makeQueueDays(database, clock.now());
      await pruneFinishedMails(database, clock.now() - finishedDays * dayMs);
      await deleteUnusedBodies(database.db);
    };
    return this.#tasks.run({ name: "queue", everyMs: pruneIntervalMs, run });
  }

  /** Leases nothing before this process is listed, because others would treat its leases as expired. */
  async #enter(): Promise<void> {
    if (this.#isListed || !this.#running) return;
    await this.#holders.enter();
    await this.#deps.deliveredLog?.recover(async (ids) => {
      const { bodies, database, clock } = this.#deps;
      await bodies.remove(await recordDelivered(database, ids, clock.now()));
    });
    this.#isListed = true;
    this.wake();
  }

  #allSent(withinMs: number): Promise<unknown> {
    return firstValueFrom(
      race(from(Promise.all(this.#sending.values())), timer(withinMs, this.#deps.clock.scheduler)),
    );
  }

  async #stop(timers: Subscription): Promise<void> {
    this.#running = false;
    timers.unsubscribe();
    const unused = this.#leased.slice(this.#firstLeased).map(({ mail }) => mail.id);
    [this.#leased, this.#firstLeased] = [[], 0];
    await releaseLeases(this.#deps.database.db, this.#lease, unused).catch(() => {});
    await this.#allSent(finishWithinMs);
    this.#deps.transport.abort();
    await this.#allSent(abandonWithinMs);
    await this.#deps.group.whenIdle();
    this.#isListed = false;
    await this.#holders.leave().catch(() => {});
    this.#deps.deliveredLog?.close();
  }
}
