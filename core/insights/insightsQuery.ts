import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { lifetimesMs, storedKeys } from "../storage/storedKeys.ts";
import { InsightsAnswer, noInsights } from "./insightsEndpoints.ts";

const CachedInsights = t.type({
  /** null for all masks. */
  maskId: t.union([t.string, t.null]),
  /** Milliseconds since 1970. */
  askedAt: t.number,
  answer: InsightsAnswer,
});
type CachedInsights = t.TypeOf<typeof CachedInsights>;

/** The cached responses for all masks and for the recently selected masks. */
interface InsightsCache {
  /** Reads a response; `fresh` when it was requested in the last 600 s (A9). */
  readonly read: (
    owner: string,
    maskId: MaskId | null,
  ) => (CachedInsights & { readonly fresh: boolean }) | null;
  readonly write: (owner: string, cached: CachedInsights) => void;
}

/** The maximum number of cached responses; the least recently selected mask is dropped first. */
const maxEntries = 6;

export const createInsightsCache = (store: Store, clock: Clock): InsightsCache => {
  const cache = createCache(store, clock, storedKeys.cachedInsights, t.readonlyArray(CachedInsights));
  const readAll = (owner: string): readonly CachedInsights[] => cache.read(owner)?.value ?? [];
  return {
    read: (owner, maskId) => {
      const cached = readAll(owner).find((one) => one.maskId === maskId);
      if (cached === undefined) return null;
      const age = clock.now() - cached.askedAt;
      return { ...cached, fresh: age >= 0 && age < lifetimesMs.insights };
    },
    write: (owner, cached) => {
      const others = readAll(owner).filter(({ maskId }) => maskId !== cached.maskId);
      const forAllMasks = others.filter(({ maskId }) => maskId === null);
      const forSingleMasks = others.filter(({ maskId }) => maskId !== null);
      cache.write(owner, [cached, ...forAllMasks, ...forSingleMasks].slice(0, maxEntries));
    },
  };
};

/** The current figures and their state. */
export interface InsightsSnapshot {
  /** null for all masks. */
  readonly maskId: MaskId | null;
  /** `stale`: older figures, shown with a warning; `failed`: no figures could be loaded. */
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly warning: string | null;
  readonly figures: InsightsAnswer;
  /** The time of the request, in milliseconds since 1970; null while `figures` is empty. */
  readonly askedAt: number | null;
}

export interface InsightsQuery {
  readonly snapshot$: State<InsightsSnapshot>;
  /** Selects one mask or all, and shows the cached figures if they are fresh. */
  readonly selectMask: (maskId: MaskId | null) => void;
  /**
   * Loads the figures; after a failure cached figures of any age show (IN6). `quiet` for automatic requests.
   */
  readonly load: (quiet: boolean) => TE.TaskEither<Problem, void>;
  /** Resets the figures when the user changes. */
  readonly reset: () => void;
}

interface Deps {
  readonly request: (maskId: MaskId | null, quiet: boolean) => TE.TaskEither<Failure, InsightsAnswer>;
  readonly cache: InsightsCache;
  readonly clock: Clock;
  readonly owner: () => string | null;
}

const oldFiguresWarning = "Using cached insights data. Refresh when online.";
const canceledWarning = "The figures were not read. Refresh to read them.";

const failureMessages: FallbackMessages = {
  page: "Failed to get insights data",
  unanswered: "Failed to load insights data",
  unreadable: "Failed to load insights data",
};

const emptySnapshot = (maskId: MaskId | null): InsightsSnapshot => ({
  maskId,
  status: "loading",
  warning: null,
  figures: noInsights,
  askedAt: null,
});

export const createInsightsQuery = ({ request, cache, clock, owner }: Deps): InsightsQuery => {
  const snapshot$ = createState(emptySnapshot(null));

  const selectMask = (maskId: MaskId | null): void => {
    const user = owner();
    const cached = user === null ? null : cache.read(user, maskId);
    snapshot$.set(
      cached?.fresh
        ? { maskId, status: "ready", warning: null, figures: cached.answer, askedAt: cached.askedAt }
        : emptySnapshot(maskId),
    );
  };
  const onLoaded = (figures: InsightsAnswer, askedAt: number): void =>
    snapshot$.update((before) =>
      before.askedAt !== null && before.askedAt > askedAt
        ? before
        : { ...before, status: "ready", warning: null, figures, askedAt },
    );
  /** Keeps the shown figures, or shows cached ones of any age. */
  const onFailed = (failure: Failure, user: string): void => {
    const current = snapshot$.value;
    const cached = current.askedAt === null ? cache.read(user, current.maskId) : current;
    if (cached !== null) {
      const figures = "answer" in cached ? cached.answer : cached.figures;
      snapshot$.set({
        ...current,
        status: "stale",
        warning: oldFiguresWarning,
        figures,
        askedAt: cached.askedAt,
      });
    } else if (failure.kind === "cancelled") {
      snapshot$.set({ ...current, status: "stale", warning: canceledWarning });
    } else
      snapshot$.set({ ...current, status: "failed", warning: problemOf(failureMessages)(failure).message });
  };
  const load =
    (quiet: boolean): TE.TaskEither<Problem, void> =>
    () => {
      const user = owner();
      const { maskId, status } = snapshot$.value;
      const askedAt = clock.now();
      if (user === null) return Promise.resolve(E.right(undefined));
      if (status === "failed") snapshot$.set(emptySnapshot(maskId));
      const isShown = (): boolean => owner() === user && snapshot$.value.maskId === maskId;
      const save = (answer: InsightsAnswer): void => {
        if (owner() === user) cache.write(user, { maskId, askedAt, answer });
        if (isShown()) onLoaded(answer, askedAt);
      };
      const onFailure = (failure: Failure): Problem => {
        if (isShown()) onFailed(failure, user);
        return problemOf(failureMessages)(failure);
      };
      return request(maskId, quiet)().then((result) => {
        if (E.isLeft(result) && maskId !== null && isRefused(result.left, 404) && isShown())
          return loadAllMasks();
        return E.bimap(onFailure, save)(result);
      });
    };
  /** Loads the figures of all masks because the selected mask does not exist any more. */
  const loadAllMasks = (): Promise<E.Either<Problem, void>> => {
    selectMask(null);
    return load(true)();
  };
  return { snapshot$, selectMask, load, reset: () => selectMask(null) };
};
