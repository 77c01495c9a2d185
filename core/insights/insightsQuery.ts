import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { connectionIssue } from "../api/failureNotices.ts";
import { ageMs } from "../kernel/age.ts";
import { type Failure, isRefused, isUnanswered } from "../kernel/failure.ts";
import { Resource, type ResourceState, type ResourceStatus } from "../kernel/resource.ts";
import { mapState, type State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult } from "../kernel/task.ts";
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

/** The maximum number of cached responses; the least recently selected mask is dropped first. */
const maxEntries = 6;

/** Caches the responses for all masks and for the recently selected masks; fresh for 600 s (RQ4). */
const createInsightsCache = (store: Store, clock: Clock) => {
  const cache = createCache(store, clock, storedKeys.cachedInsights, t.readonlyArray(CachedInsights));
  const readAll = (owner: string): readonly CachedInsights[] => cache.read(owner)?.value ?? [];
  return {
    read: (owner: string, maskId: MaskId | null) => {
      const cached = readAll(owner).find((one) => one.maskId === maskId);
      if (cached === undefined) return null;
      return { value: cached, isFresh: ageMs(cached.askedAt, clock.now()) < lifetimesMs.insights };
    },
    write: (owner: string, cached: CachedInsights): void => {
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
  readonly status: ResourceStatus;
  readonly warning: string | null;
  /** The reason for which no figures could be loaded; null where the warning says it. */
  readonly reason: string | null;
  readonly figures: InsightsAnswer;
  /** The time of the request, in milliseconds since 1970; null while `figures` is empty. */
  readonly askedAt: number | null;
}

export interface InsightsQuery {
  readonly snapshot$: State<InsightsSnapshot>;
  /** Selects one mask or all, and shows the cached figures if they are fresh. */
  readonly selectMask: (maskId: MaskId | null) => void;
  /** Loads the figures; after a failure cached figures of any age show (IN6). `quiet` for automatic requests. */
  readonly load: (quiet: boolean) => TE.TaskEither<Problem, void>;
  /** Resets the figures when the user changes. */
  readonly setOwner: (email: string | null) => void;
}

interface Deps {
  readonly request: (maskId: MaskId | null, quiet: boolean) => TE.TaskEither<Failure, InsightsAnswer>;
  readonly store: Store;
  readonly clock: Clock;
}

const oldFiguresWarning = "Using cached insights data. Refresh when online.";
const canceledWarning = "The figures could not be loaded. Refresh to try again.";

const failureMessages: FallbackMessages = {
  page: "Failed to get insights data",
  unanswered: "Failed to load insights data",
  unreadable: "Failed to load insights data",
};

/** Returns the warning in place of figures that the user's own request failed to load, or that are older than they should be. */
const toWarning = (status: ResourceStatus, failure: Failure | null): string | null => {
  if (status === "stale") return oldFiguresWarning;
  return status === "failed" && failure !== null ? problemOf(failureMessages)(failure).message : null;
};

const toReason = (failure: Failure | null): string | null =>
  failure !== null && isUnanswered(failure) ? connectionIssue : null;

const toSnapshot = (
  maskId: MaskId | null,
  { status, value, failure }: ResourceState<CachedInsights | null>,
): InsightsSnapshot =>
  status === "failed" && failure?.kind === "cancelled"
    ? { maskId, status: "stale", warning: canceledWarning, reason: null, figures: noInsights, askedAt: null }
    : {
        maskId,
        status,
        warning: toWarning(status, failure),
        reason: status === "failed" ? toReason(failure) : null,
        figures: value?.answer ?? noInsights,
        askedAt: value?.askedAt ?? null,
      };

export const createInsightsQuery = ({ request, store, clock }: Deps): InsightsQuery => {
  const cache = createInsightsCache(store, clock);
  let selected: MaskId | null = null;
  const fetchBy = (quiet: boolean): TE.TaskEither<Failure, CachedInsights> =>
    deferTask(() => {
      const maskId = selected;
      const askedAt = clock.now();
      const owner = resource.owner.current();
      const save = (answer: InsightsAnswer): CachedInsights => {
        const insights = { maskId, askedAt, answer };
        if (owner !== null && resource.owner.current() === owner) cache.write(owner, insights);
        return insights;
      };
      return pipe(request(maskId, quiet), mapResult(E.map(save)));
    });
  const resource = new Resource<CachedInsights | null>({
    initial: null,
    fetch: fetchBy(true),
    cache: { read: (owner) => cache.read(owner, selected) },
  });
  const select = (maskId: MaskId | null, owner: string | null): void => {
    selected = maskId;
    resource.setOwner(owner);
  };
  const selectMask = (maskId: MaskId | null): void => select(maskId, resource.owner.current());
  const snapshot$ = mapState(resource.state$, (state) => toSnapshot(selected, state));
  /** Loads the figures of all masks when the selected mask does not exist any more. */
  const orAllMasks =
    (maskId: MaskId | null, isShown: () => boolean) =>
    (failure: Failure): TE.TaskEither<Failure, void> => {
      if (maskId === null || !isRefused(failure, 404) || !isShown()) return TE.left(failure);
      selectMask(null);
      return resource.loadIfOld;
    };
  return {
    snapshot$,
    selectMask,
    load: (quiet) =>
      deferTask(() => {
        const maskId = selected;
        if (resource.owner.current() === null) return TE.right<Problem, void>(undefined);
        if (snapshot$.value.status === "failed") selectMask(maskId);
        const isShown = resource.owner.capture();
        return pipe(
          resource.loadBy(fetchBy(quiet)),
          chainResult(E.match(orAllMasks(maskId, isShown), () => TE.right<Failure, void>(undefined))),
          mapResult(E.mapLeft(problemOf(failureMessages))),
        );
      }),
    setOwner: (email) => select(null, email),
  };
};
