import * as E from "fp-ts/lib/Either.js";
import { identity, pipe } from "fp-ts/lib/function.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "./failure.ts";
import { createOwner, type Owner } from "./owner.ts";
import { createState, mapState, type State, type WritableState } from "./state.ts";
import { deferTask, mapResult } from "./task.ts";

/** `stale`: the last fetch failed and older data is shown. `failed`: the last fetch failed and there is no data. */
export type ResourceStatus = "loading" | "ready" | "stale" | "failed";

export interface ResourceState<A> {
  readonly status: ResourceStatus;
  /** The data with the changes under way applied; the initial value while nothing is known. */
  readonly value: A;
  /** The failure for which the data is stale or missing. */
  readonly failure: Failure | null;
  /** The data comes from the cache of an earlier visit and the server has not answered since. */
  readonly isFromCache: boolean;
}

/** True if the last fetch failed, with or without older data. */
export const isFetchFailed = ({ status }: { readonly status: ResourceStatus }): boolean =>
  status === "stale" || status === "failed";

/** A stored copy of the data for each owner; without `write` the feature writes the copy itself. */
export interface ResourceCache<A> {
  readonly read: (
    owner: string,
  ) => { readonly value: A; readonly isFresh: boolean; readonly savedAt?: number } | null;
  readonly write?: (owner: string, value: A) => void;
}

type Merge<A> = (known: A, answer: A, isNewer: (key?: string) => boolean) => A;

export interface ResourceOptions<A> {
  readonly initial: A;
  /** Fetches the data; left out by a feature that only uses `accept`. */
  readonly fetch?: TaskEither<Failure, A>;
  readonly cache?: ResourceCache<NonNullable<A>>;
  /** Shows the cached data of any age while the first fetch is under way; by default only while it is fresh. */
  readonly showsOldCache?: true;
  /**
   * Combines the data with an answer to a fetch. `isNewer` tells whether a change of this key, or of any key, has ended
   * after the fetch started. By default, such an answer is dropped.
   */
  readonly merge?: Merge<A>;
}

/** A change of the data that is shown before the server has confirmed it. */
export interface OptimisticChange<A, B> {
  /** The part of the data that changes, such as an id; the whole by default. */
  readonly key?: string;
  /** The data as expected after the change. Applied to whatever the server sends until the change has ended. */
  readonly expect?: (value: A) => A;
  readonly send: TaskEither<Failure, B>;
  /** The data after the server has confirmed the change. */
  readonly settle: (value: A, answer: B) => A;
}

interface Patch<A> {
  readonly key: string;
  readonly expect: (value: A) => A;
}

/** The state without the changes under way, and these changes in the order in which they were made. */
interface Known<A> extends ResourceState<A> {
  readonly patches: readonly Patch<A>[];
}

const wholeKey = "";

const nothingKnown = <A>(initial: A): Known<A> => ({
  status: "loading",
  value: initial,
  failure: null,
  isFromCache: false,
  patches: [],
});

const applyPatches = <A>({ patches, value, ...state }: Known<A>): ResourceState<A> => ({
  ...state,
  value: patches.reduce((patched, { expect }) => expect(patched), value),
});

const dropOutdated = <A>(known: A, answer: A, isNewer: () => boolean): A => (isNewer() ? known : answer);

/**
 * Data of one user that the server owns; without an owner at first, in the status `loading`. Fetches, pushed data and
 * optimistic changes may overlap in any order: newer data is never replaced by an older answer, a failed change leaves
 * what the server has sent meanwhile, and answers for another user are ignored.
 */
export class Resource<A> {
  readonly state$: State<ResourceState<A>>;
  /** The keys with a change under way. */
  readonly pending$: State<ReadonlySet<string>>;
  readonly owner: Pick<Owner, "current" | "capture" | "tap">;
  /** Fetches the data; when that fails, shows what is known as `stale`. */
  readonly load: TaskEither<Failure, void>;
  /** Loads the data unless it is ready, its cached copy is fresh and nothing has made it outdated since it was fetched. */
  readonly loadIfOld: TaskEither<Failure, void>;
  readonly #initial: A;
  readonly #cache: ResourceCache<NonNullable<A>> | undefined;
  readonly #showsOldCache: boolean;
  readonly #merge: Merge<A>;
  readonly #owner = createOwner();
  readonly #known$: WritableState<Known<A>>;
  /** Counts requests and changes; each answer is as new as the tick of its request. */
  #tick = 0;
  #fetchedAt = 0;
  #outdatedAt = 0;
  readonly #changedAt = new Map<string, number>();
  /** The time at which the latest change of each key that the server has confirmed was sent. */
  readonly #confirmedChanges = new Map<string, number>();

  constructor({ initial, fetch, cache, showsOldCache, merge = dropOutdated }: ResourceOptions<A>) {
    this.#initial = initial;
    this.#cache = cache;
    this.#showsOldCache = showsOldCache === true;
    this.#merge = merge;
    this.#known$ = createState(nothingKnown(initial));
    this.state$ = mapState(this.#known$, applyPatches);
    const patches$ = mapState(this.#known$, ({ patches }) => patches);
    this.pending$ = mapState(patches$, (patches) => new Set(patches.map(({ key }) => key)));
    this.owner = this.#owner;
    this.load = fetch === undefined ? TE.right(undefined) : this.loadBy(fetch);
    this.loadIfOld = deferTask(() => (this.#isFresh() ? TE.right<Failure, void>(undefined) : this.load));
  }

  /** Forgets everything and shows the new owner's cached data while it is fresh. */
  setOwner(email: string | null): void {
    this.#owner.set(email);
    this.#outdatedAt = 0;
    this.#changedAt.clear();
    this.#confirmedChanges.clear();
    const nothing = nothingKnown(this.#initial);
    const cached = this.#readCache();
    if (cached === null || !(cached.isFresh || this.#showsOldCache)) this.#known$.set(nothing);
    else {
      const status = cached.isFresh ? "ready" : "loading";
      this.#known$.set({ ...nothing, status, value: cached.value, isFromCache: true });
    }
  }

  /** The data shown, or else the cached data of any age; null when there is neither. */
  known(): A | null {
    return this.#isKnown() ? this.state$.value.value : (this.#readCache()?.value ?? null);
  }

  /** Records that the server has changed the data in a way that is not known here. */
  markOutdated(): void {
    this.#outdatedAt = this.#nextTick();
  }

  /** Shows a part of the data that is being loaded, where nothing is shown yet. */
  preview(part: A): void {
    const { status, isFromCache, value } = this.#known$.value;
    if (status === "loading" && !isFromCache && value === this.#initial) this.#update({ value: part });
  }

  /** Loads the data as `load` does, by another request. */
  loadBy(request: TaskEither<Failure, A>): TaskEither<Failure, void> {
    return deferTask(() => {
      const since = this.#nextTick();
      const isNewer = (key?: string): boolean => this.#isChangedAfter(since, key);
      return pipe(
        request,
        this.#owner.tap(
          E.match(
            (failure) => this.#reject(failure, since),
            (answer) => this.#accept((value) => this.#merge(value, answer, isNewer), since),
          ),
        ),
        mapResult(E.map(() => undefined)),
      );
    });
  }

  /** Fetches the part with this key. Returns false when a newer change or fetch made the answer obsolete. */
  loadPart(key: string, part: TaskEither<Failure, (value: A) => A>): TaskEither<Failure, boolean> {
    return deferTask(() => {
      const since = this.#nextTick();
      const isCurrent = this.#owner.capture();
      const take = (change: (value: A) => A): boolean => {
        if (!isCurrent()) return true;
        if (this.#hasPatch(key) || this.#isChangedAfter(since, key) || this.#fetchedAt > since) return false;
        this.#confirm(key, since, change);
        return true;
      };
      return pipe(part, mapResult(E.map(take)));
    });
  }

  /** Applies an answer that the feature has fetched itself; the data is ready. */
  accept(change: (value: A) => A): void {
    this.#accept(change, this.#nextTick());
  }

  /** Records that a fetch of the feature itself has failed. */
  reject(failure: Failure): void {
    this.#reject(failure, this.#nextTick());
  }

  /** Applies data that the server has confirmed or pushed just now. */
  put(change: (value: A) => A, key = wholeKey): void {
    this.#confirm(key, this.#nextTick(), change);
  }

  /** Shows a change, sends it, and takes it back when that fails. */
  change<B>({
    key = wholeKey,
    expect = identity,
    send,
    settle,
  }: OptimisticChange<A, B>): TaskEither<Failure, B> {
    return deferTask(() => {
      const sentAt = this.#nextTick();
      const patch: Patch<A> = { key, expect };
      const drop = (): void => this.#update({ patches: this.#patchesWithout(patch) });
      const settlePatch = (answer: B): void => {
        const confirmedAt = this.#confirmedChanges.get(key) ?? 0;
        this.#confirmedChanges.set(key, Math.max(confirmedAt, sentAt));
        const settled = confirmedAt > sentAt ? identity<A> : (value: A) => settle(value, answer);
        this.#confirm(key, this.#nextTick(), settled, patch);
      };
      this.#update({ patches: [...this.#known$.value.patches, patch] });
      return pipe(send, this.#owner.tap(E.match(drop, settlePatch)));
    });
  }

  #nextTick(): number {
    this.#tick += 1;
    return this.#tick;
  }

  #isChangedAfter(since: number, key?: string): boolean {
    const changedAt =
      key === undefined ? Math.max(0, ...this.#changedAt.values()) : (this.#changedAt.get(key) ?? 0);
    return changedAt > since;
  }

  #isKnown(): boolean {
    const { status } = this.#known$.value;
    return status === "ready" || status === "stale";
  }

  #isFresh(): boolean {
    const isOutdated = this.#outdatedAt > this.#fetchedAt;
    return this.#known$.value.status === "ready" && !isOutdated && this.#readCache()?.isFresh === true;
  }

  #hasPatch(key: string): boolean {
    return this.#known$.value.patches.some((patch) => patch.key === key);
  }

  #patchesWithout(ended: Patch<A> | undefined): readonly Patch<A>[] {
    return this.#known$.value.patches.filter((patch) => patch !== ended);
  }

  #update(change: Partial<Known<A>>): void {
    this.#known$.update((known) => ({ ...known, ...change }));
  }

  #readCache(): ReturnType<ResourceCache<NonNullable<A>>["read"]> {
    const email = this.#owner.current();
    return email === null ? null : (this.#cache?.read(email) ?? null);
  }

  #writeCache(value: A): void {
    const email = this.#owner.current();
    if (email !== null && value !== null && value !== undefined) this.#cache?.write?.(email, value);
  }

  /** Applies a change as new as the tick `at`; the patch of this change ends with it. */
  #confirm(key: string, at: number, change: (value: A) => A, ended?: Patch<A>): void {
    this.#changedAt.set(key, at);
    const { value, patches } = this.#known$.value;
    this.#update({ value: change(value), patches: ended ? this.#patchesWithout(ended) : patches });
    if (this.#isKnown()) this.#writeCache(this.#known$.value.value);
  }

  #accept(change: (value: A) => A, since: number): void {
    if (since < this.#fetchedAt) return;
    this.#fetchedAt = since;
    const value = change(this.#known$.value.value);
    this.#update({ status: "ready", value, failure: null, isFromCache: false });
    this.#writeCache(value);
  }

  #reject(failure: Failure, since: number): void {
    if (since < this.#fetchedAt) return;
    const restored = this.#isKnown() ? null : this.#readCache();
    if (restored !== null) {
      const isNewer = (key?: string): boolean => this.#isChangedAfter(0, key);
      this.#update({ value: this.#merge(this.#known$.value.value, restored.value, isNewer) });
    }
    const status = this.#isKnown() || restored !== null ? "stale" : "failed";
    this.#update({ status, failure, isFromCache: false });
  }
}

/** Loads a resource; succeeds also when the server cannot be reached and older data is shown. */
export const orStale = <A>(
  { load, state$, owner }: Pick<Resource<A>, "load" | "state$" | "owner">,
  task: TaskEither<Failure, void> = load,
): TaskEither<Failure, void> =>
  deferTask(() => {
    const isCurrent = owner.capture();
    return pipe(
      task,
      mapResult(
        E.orElse((failure) =>
          isCurrent() && state$.value.status === "stale" ? E.right(undefined) : E.left(failure),
        ),
      ),
    );
  });
