import * as E from "fp-ts/lib/Either.js";
import { identity, pipe } from "fp-ts/lib/function.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "./failure.ts";
import { createOwner, type Owner } from "./owner.ts";
import { createState, mapState, type State } from "./state.ts";
import { deferTask, mapResult } from "./task.ts";

/** `stale`: the last fetch failed and older data is shown. `failed`: the last fetch failed and there is no data. */
export type ResourceStatus = "loading" | "ready" | "stale" | "failed";

export interface ResourceState<A> {
  readonly status: ResourceStatus;
  /** The data with the changes under way applied; the initial value while nothing is known. */
  readonly value: A;
  /** Why the data is stale or missing. */
  readonly failure: Failure | null;
  /** The data comes from the cache of an earlier visit and the server has not answered since. */
  readonly isFromCache: boolean;
}

/** A stored copy of the data for each owner; without `write` the feature writes the copy itself. */
export interface ResourceCache<A> {
  readonly read: (owner: string) => { readonly value: A; readonly isFresh: boolean } | null;
  readonly write?: (owner: string, value: A) => void;
}

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
  readonly merge?: (known: A, answer: A, isNewer: (key?: string) => boolean) => A;
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

/**
 * Data of one user that the server owns. Fetches, pushed data and optimistic changes may overlap in any order: newer
 * data is never replaced by an older answer, a failed change leaves what the server has sent meanwhile, and answers for
 * another user are ignored.
 */
export interface Resource<A> {
  readonly state$: State<ResourceState<A>>;
  /** The keys with a change under way. */
  readonly pending$: State<ReadonlySet<string>>;
  readonly owner: Pick<Owner, "current" | "capture" | "tap">;
  /** Forgets everything and shows the new owner's cached data while it is fresh. */
  readonly setOwner: (owner: string | null) => void;
  /** The data shown, or else the cached data of any age; null when there is neither. */
  readonly known: () => A | null;
  /** Fetches the data; when that fails, shows what is known as `stale`. */
  readonly load: TaskEither<Failure, void>;
  /** Loads the data unless it is ready, its cached copy is fresh and nothing has made it outdated since it was fetched. */
  readonly loadIfOld: TaskEither<Failure, void>;
  /** Records that the server has changed the data in a way that is not known here. */
  readonly markOutdated: () => void;
  /** Shows a part of the data that is being loaded, where nothing is shown yet. */
  readonly preview: (part: A) => void;
  /** Loads the data as `load` does, by another request. */
  readonly loadBy: (fetch: TaskEither<Failure, A>) => TaskEither<Failure, void>;
  /** Fetches the part with this key. Returns false when a newer change or fetch made the answer obsolete. */
  readonly loadPart: (
    key: string,
    part: TaskEither<Failure, (value: A) => A>,
  ) => TaskEither<Failure, boolean>;
  /** Applies an answer that the feature has fetched itself; the data is ready. */
  readonly accept: (change: (value: A) => A) => void;
  /** Records that a fetch of the feature itself has failed. */
  readonly reject: (failure: Failure) => void;
  /** Applies data that the server has confirmed or pushed just now. */
  readonly put: (change: (value: A) => A, key?: string) => void;
  /** Shows a change, sends it, and takes it back when that fails. */
  readonly change: <B>(change: OptimisticChange<A, B>) => TaskEither<Failure, B>;
}

interface Patch<A> {
  readonly key: string;
  readonly expect: (value: A) => A;
}

/** What is known without the changes under way, and these changes in the order in which they were made. */
interface Known<A> extends ResourceState<A> {
  readonly patches: readonly Patch<A>[];
}

const wholeKey = "";

/** Creates a resource without an owner, in the status `loading`. */
export const createResource = <A>({
  initial,
  fetch,
  cache,
  showsOldCache,
  merge = (known, answer, isNewer) => (isNewer() ? known : answer),
}: ResourceOptions<A>): Resource<A> => {
  const loading: Known<A> = {
    status: "loading",
    value: initial,
    failure: null,
    isFromCache: false,
    patches: [],
  };
  const known$ = createState(loading);
  const patches$ = mapState(known$, ({ patches }) => patches);
  const owner = createOwner();
  /** Counts requests and changes; each answer is as new as the tick of its request. */
  let tick = 0;
  let fetchedAt = 0;
  let outdatedAt = 0;
  const changedAt = new Map<string, number>();
  /** When the latest change of each key that the server has confirmed was sent. */
  const confirmedChanges = new Map<string, number>();

  const nextTick = (): number => {
    tick += 1;
    return tick;
  };
  const isChangedAfter = (since: number, key?: string): boolean =>
    (key === undefined ? Math.max(0, ...changedAt.values()) : (changedAt.get(key) ?? 0)) > since;
  const update = (change: Partial<Known<A>>): void => known$.update((known) => ({ ...known, ...change }));
  const cached = () => (owner.current() === null ? null : (cache?.read(owner.current() ?? "") ?? null));
  const writeCache = (value: A): void => {
    const email = owner.current();
    if (email !== null && value !== null && value !== undefined) cache?.write?.(email, value);
  };
  const isKnown = (): boolean => known$.value.status === "ready" || known$.value.status === "stale";
  const isFresh = (): boolean =>
    known$.value.status === "ready" && outdatedAt <= fetchedAt && cached()?.isFresh === true;
  const known = (): A | null => (isKnown() ? state$.value.value : (cached()?.value ?? null));

  /** Applies a change as new as the tick `at`; the patch of this change ends with it. */
  const confirm = (key: string, at: number, change: (value: A) => A, ended?: Patch<A>): void => {
    changedAt.set(key, at);
    const { value, patches } = known$.value;
    update({ value: change(value), patches: ended ? patches.filter((patch) => patch !== ended) : patches });
    if (isKnown()) writeCache(known$.value.value);
  };
  const accept = (since: number, change: (value: A) => A): void => {
    if (since < fetchedAt) return;
    fetchedAt = since;
    const value = change(known$.value.value);
    update({ status: "ready", value, failure: null, isFromCache: false });
    writeCache(value);
  };
  const reject = (failure: Failure, since: number): void => {
    if (since < fetchedAt) return;
    const restored = isKnown() ? null : cached();
    if (restored !== null)
      update({ value: merge(known$.value.value, restored.value, (key) => isChangedAfter(0, key)) });
    const status = isKnown() || restored !== null ? "stale" : "failed";
    update({ status, failure, isFromCache: false });
  };
  const state$ = mapState(
    known$,
    ({ patches, value, ...state }): ResourceState<A> => ({
      ...state,
      value: patches.reduce((patched, { expect }) => expect(patched), value),
    }),
  );
  const loadBy: Resource<A>["loadBy"] = (request) =>
    deferTask(() => {
      const since = nextTick();
      return pipe(
        request,
        owner.tap(
          E.match(
            (failure) => reject(failure, since),
            (answer) => accept(since, (value) => merge(value, answer, (key) => isChangedAfter(since, key))),
          ),
        ),
        mapResult(E.map(() => undefined)),
      );
    });
  const load = fetch === undefined ? TE.right<Failure, void>(undefined) : loadBy(fetch);
  return {
    state$,
    pending$: mapState(patches$, (patches) => new Set(patches.map(({ key }) => key))),
    owner,
    setOwner: (email) => {
      owner.set(email);
      outdatedAt = 0;
      changedAt.clear();
      confirmedChanges.clear();
      const restored = cached();
      known$.set(
        restored && (restored.isFresh || showsOldCache)
          ? {
              ...loading,
              status: restored.isFresh ? "ready" : "loading",
              value: restored.value,
              isFromCache: true,
            }
          : { ...loading },
      );
    },
    known,
    load,
    loadIfOld: deferTask(() => (isFresh() ? TE.right<Failure, void>(undefined) : load)),
    markOutdated: () => {
      outdatedAt = nextTick();
    },
    preview: (part) => {
      const { status, isFromCache, value } = known$.value;
      if (status === "loading" && !isFromCache && value === initial) update({ value: part });
    },
    loadBy,
    loadPart: (key, part) =>
      deferTask(() => {
        const since = nextTick();
        const isCurrent = owner.capture();
        const take = (change: (value: A) => A): boolean => {
          if (!isCurrent()) return true;
          const isPending = patches$.value.some((patch) => patch.key === key);
          if (isPending || isChangedAfter(since, key) || fetchedAt > since) return false;
          confirm(key, since, change);
          return true;
        };
        return pipe(part, mapResult(E.map(take)));
      }),
    accept: (change) => accept(nextTick(), change),
    reject: (failure) => reject(failure, nextTick()),
    put: (change, key = wholeKey) => confirm(key, nextTick(), change),
    change: <B>({ key = wholeKey, expect = identity, send, settle }: OptimisticChange<A, B>) =>
      deferTask(() => {
        const sentAt = nextTick();
        const patch: Patch<A> = { key, expect };
        const drop = (): void => update({ patches: patches$.value.filter((other) => other !== patch) });
        const settlePatch = (answer: B): void => {
          const isObsolete = (confirmedChanges.get(key) ?? 0) > sentAt;
          confirmedChanges.set(key, Math.max(confirmedChanges.get(key) ?? 0, sentAt));
          confirm(key, nextTick(), isObsolete ? identity : (value) => settle(value, answer), patch);
        };
        update({ patches: [...patches$.value, patch] });
        return pipe(send, owner.tap(E.match(drop, settlePatch)));
      }),
  };
};

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
