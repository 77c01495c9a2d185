import { interval, type Observable, Subject } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "./database.ts";
import { EventCursor } from "./eventCursor.ts";
import { type ChangeEvent, everyProcess } from "./events.ts";
import { pruneEvents } from "./oldEvents.ts";
import { SharedTasks } from "./sharedTasks.ts";

/** A logout in another process closes the sockets of this process within a second. */
export const pollEachMs = 500;
const pruneEachMs = 10 * minuteMs;

/**
 * Reads the changes that any process has committed, of the users that this process follows: after an announcement of
 * those that it names, twice a second of all. Reads nothing before it is started.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #cursor: EventCursor;
  readonly #changes = new Subject<ChangeEvent>();
  /** The number of followers of each user. */
  readonly #followed = new Map<string, number>([[everyProcess, 1]]);
  #isRunning = false;
  #isPositioned = false;
  #reading: Promise<void> | null = null;
  #nextRead: Promise<void> | null = null;
  /** The users of the next reading; null for all that are followed. */
  #wanted: Set<string> | null = new Set();

  /** The changes of followed users, and those for every process. */
  readonly changes$: Observable<ChangeEvent> = this.#changes.asObservable();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#cursor = new EventCursor(database);
  }

  /**
   * Follows the changes of a user; returns a function that ends it. The changes of the last seconds before may be
   * emitted too.
   */
  readonly follow = (userId: string): (() => void) => {
    this.#followed.set(userId, (this.#followed.get(userId) ?? 0) + 1);
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      const left = (this.#followed.get(userId) ?? 1) - 1;
      if (left > 0) this.#followed.set(userId, left);
      else this.#followed.delete(userId);
    };
  };

  /** Reads new changes immediately in the processes that follow their users; call it after a commit. */
  readonly wake = (): void => {
    const { channel } = this.#database.engine;
    if (channel) channel.announce();
    else void this.#read(null);
  };

  /** Reads new changes immediately and resolves when all earlier commits have been emitted. */
  readonly catchUp = (): Promise<void> => this.#read(null);

  /** Starts to listen and to poll twice a second; returns a function that stops it. Emits later commits only. */
  readonly start = (): (() => void) => {
    this.#isRunning = true;
    this.#isPositioned = false;
    const { channel } = this.#database.engine;
    const tasks = new SharedTasks(this.#database, this.#clock);
    const readAll = (): void => void this.#read(null);
    readAll();
    const stopListening = channel?.listen((users) => void this.#readAnnounced(users));
    const polling = interval(pollEachMs, this.#clock.scheduler).subscribe(readAll);
    const pruning = interval(pruneEachMs, this.#clock.scheduler).subscribe(() => {
      const run = () => pruneEvents(this.#database, this.#clock.now());
      tasks.run({ name: "events", everyMs: pruneEachMs, run }).catch(() => {});
    });
    return () => {
      this.#isRunning = false;
      stopListening?.();
      polling.unsubscribe();
      pruning.unsubscribe();
    };
  };

  async #readAnnounced(users: readonly string[] | null): Promise<void> {
    const followed = users?.filter((userId) => this.#followed.has(userId)) ?? null;
    if (followed === null || followed.length > 0) await this.#read(followed);
  }

  /** Reads the changes of users, or of all that are followed; calls during a reading share one more after it. */
  #read(users: readonly string[] | null): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    if (users === null) this.#wanted = null;
    else for (const userId of users) this.#wanted?.add(userId);
    return this.#readWanted();
  }

  #readWanted(): Promise<void> {
    if (this.#reading) {
      this.#nextRead ??= this.#reading.then(() => {
        this.#nextRead = null;
        return this.#readWanted();
      });
      return this.#nextRead;
    }
    const wanted = this.#wanted;
    this.#wanted = new Set();
    this.#reading = this.#readFrom(wanted)
      // The next poll queries the database again; readiness reports the failure elsewhere.
      .catch(() => {})
      .finally(() => {
        this.#reading = null;
      });
    return this.#reading;
  }

  async #readFrom(wanted: ReadonlySet<string> | null): Promise<void> {
    if (!this.#isPositioned) {
      await this.#cursor.skipAll(this.#clock.now());
      this.#isPositioned = true;
    }
    const emit = (event: ChangeEvent): void => {
      if (this.#isRunning) this.#changes.next(event);
    };
    if (wanted === null) await this.#cursor.readAll(this.#clock.now(), new Set(this.#followed.keys()), emit);
    else if (wanted.size > 0) await this.#cursor.readOf(wanted, emit);
  }
}
