import { performance } from "node:perf_hooks";
import { storageProblemOf } from "../storage/storageProblem.ts";
import type { Database, Db } from "./database.ts";

/** Stores the items of one kind that are committed together; returns a result for each, in their order. */
export type CommitItems<Item, Result> = (db: Db, items: readonly Item[]) => Promise<readonly Result[]>;

/** Stores one item; resolves with its own result once its commit is on the disk. */
export type Submit<Item, Result> = (item: Item) => Promise<Result>;

export interface KindOptions<Item> {
  readonly weightOf: (item: Item) => number;
  /** Runs once for the items of a group, before their transaction; they are rejected when it rejects. */
  readonly prepare?: (items: readonly Item[]) => Promise<void>;
  /** True if items wait up to 10 ms for one of another kind to share its commit, because nobody waits for their result. */
  readonly canWait?: boolean;
}

/** Thrown when nothing of an item may be stored; alone in its commit, this is its result. */
export class NotStored<Result> extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super("an item cannot be stored as it is");
    this.result = result;
  }
}

interface Waiting {
  readonly kind: number;
  readonly weight: number;
  readonly reject: (error: unknown) => void;
}

/** The items of one kind in a group: `run` stores them and returns the callbacks for their results. */
interface Kind {
  readonly canWait: boolean;
  readonly run: (db: Db, waiting: readonly Waiting[]) => Promise<() => void>;
  readonly prepare: (waiting: readonly Waiting[]) => Promise<void>;
  /** Ends an item with the reason why it was not stored. */
  readonly refuse: (waiting: Waiting, reason: NotStored<unknown>) => void;
}

/** The limit of one commit: a number of items and their total weight (a single item may be heavier). */
export interface GroupSize {
  readonly items: number;
  readonly weight: number;
}

const afterPendingInput = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Commits take at most a tenth of the time, as long as that delays nothing by more than `longestPauseMs`. */
const pauseLength = 9;
const longestPauseMs = 10;
/** A pause ends when the process has had nothing to do for this long, because what is missing waits for the commit. */
const idleLimitMs = 0.3;
/** The interval at which that is checked, in milliseconds. */
const idleCheckMs = 1;

/** Milliseconds since the start in which the process had nothing to do. */
const idleMs = (): number => performance.eventLoopUtilization().idle;

/**
 * Groups items of many callers into few transactions: what arrives during one commit is committed in the next. A commit
 * starts after pending input was read, so a burst shares it. No timer delays the first; a pause after each commit
 * collects more for the next, until the process idles. When a group cannot be stored, its halves are, so that an item
 * that fails does not affect the others.
 */
export class GroupCommit {
  readonly #database: Pick<Database, "transaction">;
  readonly #size: GroupSize;
  readonly #onCommit: (seconds: number) => void;
  readonly #kinds: Kind[] = [];
  readonly #waiting: Waiting[] = [];
  #commits = 0;
  #working: Promise<void> | null = null;
  #wake = (): void => {};

  /** `onCommit` is called with the time that each successful commit has taken. */
  constructor(
    database: Pick<Database, "transaction">,
    size: GroupSize,
    onCommit: (seconds: number) => void = () => {},
  ) {
    this.#database = database;
    this.#size = size;
    this.#onCommit = onCommit;
  }

  /** Declares a kind of item; the kinds of a group are stored in the order of their declaration. */
  kind<Item, Result>(
    commitItems: CommitItems<Item, Result>,
    { weightOf, prepare, canWait = false }: KindOptions<Item>,
  ): Submit<Item, Result> {
    const kind = this.#kinds.length;
    const items = new WeakMap<Waiting, { readonly item: Item; readonly resolve: (result: Result) => void }>();
    this.#kinds.push({
      canWait,
      prepare: async (group) => prepare?.(group.flatMap((one) => items.get(one)?.item ?? [])),
      run: async (db, group) => {
        const own = group.flatMap((one) => items.get(one) ?? []);
        const results = await commitItems(
          db,
          own.map(({ item }) => item),
        );
        return () => {
          for (const [index, result] of results.entries()) own[index]?.resolve(result);
        };
      },
      refuse: (one, reason) => items.get(one)?.resolve((reason as NotStored<Result>).result),
    });
    return (item) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { kind, weight: weightOf(item), reject };
        items.set(one, { item, resolve });
        this.#add(one, canWait);
      });
  }

  /** Resolves when nothing waits and no commit is running. */
  async whenIdle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Returns how many commits were begun. */
  commits(): number {
    return this.#commits;
  }

  #add(item: Waiting, canWait: boolean): void {
    this.#waiting.push(item);
    this.#working ??= this.#work();
    if (!canWait) this.#wake();
  }

  async #work(): Promise<void> {
    await afterPendingInput();
    if (!this.#isUrgent()) await this.#pause(longestPauseMs);
    while (this.#waiting.length > 0) {
      const began = performance.now();
      const group = await this.#prepare(this.#nextGroup());
      if (group.length > 0) await this.#commit(group);
      await afterPendingInput();
      await this.#pause(Math.min(pauseLength * (performance.now() - began), longestPauseMs));
    }
    this.#working = null;
  }

  #isUrgent(): boolean {
    return this.#waiting.some(({ kind }) => !this.#kinds[kind]?.canWait);
  }

  /** Collects items for so many milliseconds; until the process idles when one of them should not wait. */
  async #pause(ms: number): Promise<void> {
    const end = performance.now() + ms;
    const idleAtStart = idleMs();
    for (;;) {
      const left = end - performance.now();
      const isAwaited = this.#isUrgent();
      if (left <= 0 || (isAwaited && idleMs() - idleAtStart >= idleLimitMs)) return;
      await this.#wait(isAwaited ? Math.min(idleCheckMs, left) : left);
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #nextGroup(): Waiting[] {
    let weight = 0;
    const end = this.#waiting.findIndex((item, index) => {
      weight += item.weight;
      return index > 0 && (index >= this.#size.items || weight > this.#size.weight);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** Prepares the items of each kind; returns those that can be stored. */
  async #prepare(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const ready: Waiting[] = [];
    for (const [index, kind] of this.#kinds.entries()) {
      const items = group.filter((item) => item.kind === index);
      if (items.length === 0) continue;
      try {
        await kind.prepare(items);
        ready.push(...items);
      } catch (error) {
        this.#reject(items, error);
      }
    }
    return ready;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    this.#commits += 1;
    let isStored = false;
    const began = performance.now();
    try {
      const settle = await this.#database.transaction(async (db) => {
        isStored = false;
        const stored = await this.#store(db, group);
        isStored = true;
        return stored;
      });
      this.#onCommit((performance.now() - began) / 1_000);
      for (const tell of settle) tell();
    } catch (error) {
      // A failed commit may have happened; storing its items again could send them twice. A full disk has no room
      // for a part of them either.
      if (group.length === 1 || isStored || storageProblemOf(error)) return this.#reject(group, error);
      const half = Math.ceil(group.length / 2);
      await this.#commit(group.slice(0, half));
      await this.#commit(group.slice(half));
    }
  }

  /** Stores a group in a transaction; returns the callbacks for its callers. */
  async #store(db: Db, group: readonly Waiting[]): Promise<readonly (() => void)[]> {
    const settle: (() => void)[] = [];
    for (const [index, kind] of this.#kinds.entries()) {
      const items = group.filter((item) => item.kind === index);
      if (items.length > 0) settle.push(await kind.run(db, items));
    }
    return settle;
  }

  #reject(group: readonly Waiting[], error: unknown): void {
    for (const item of group)
      if (error instanceof NotStored) this.#kinds[item.kind]?.refuse(item, error);
      else item.reject(error);
  }
}
