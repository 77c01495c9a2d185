import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { errorMessage, type Problem, problemOf } from "../api/errorMessages.ts";
import { asReceived, leftOutText, readableList } from "../api/wireCodecs.ts";
import type { ResourceState, ResourceStatus } from "../kernel/resource.ts";
import { SingleFlight } from "../kernel/singleFlight.ts";
import { combineState, createState, mapState, type State } from "../kernel/state.ts";
import { beginTask, deferTask, startTask } from "../kernel/task.ts";
import { createTransient } from "../kernel/timedState.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { mayChoosePrefix, type Tier } from "../tiers/tier.ts";
import type { KeepEdit } from "./changeMask.ts";
import { createCopyMaskAddress } from "./copyMaskAddress.ts";
import { Mask, type MaskId } from "./mask.ts";
import type { MaskDraft, MaskOrigin } from "./maskDraft.ts";
import {
  createMaskListQuery,
  includesMask,
  type MaskPage,
  newestFirst,
  pageOfMask,
  toMaskPage,
} from "./maskList.ts";
import {
  type ChangeListSettings,
  createMaskListSettings,
  type MaskListSettings,
} from "./maskListSettings.ts";
import { defaultMaskQuery, type MaskFilter, type MaskQuery } from "./maskQuery.ts";
import { startMaskRefresh } from "./maskRefresh.ts";
import { MaskResource, withNewerMask } from "./maskResource.ts";
import type { MaskStatistics } from "./maskStatistics.ts";
import { createMaskUseCases, type MaskUseCases } from "./maskUseCases.ts";

export interface MasksView {
  /** `stale` means that the masks come from the cache; `warning` says so. */
  readonly status: ResourceStatus;
  /** The stale warning (MA9) while stale, the failure's message while failed, otherwise null. */
  readonly warning: string | null;
  /** Says how many masks could not be shown; empty for none. */
  readonly leftOut: string;
  /** All masks, newest first; while loading, those of the cache. */
  readonly all: readonly Mask[];
}

/** The limits of the signed-in user's plan. */
export interface MaskPlan {
  readonly tier: Tier;
  /** The most masks, active or not; null means no limit. */
  readonly maxMasks: number | null;
}

/** What keeps the edits that cannot be sent now, and shows the masks with them. */
export interface KeptEdits {
  /** The number of masks and edits that wait, or have to be looked at because of that. */
  readonly count: number;
  readonly keep: KeepEdit;
  /** Absent while no edit waits, so that nothing is shown again. */
  readonly apply?: ((masks: readonly Mask[]) => readonly Mask[]) | undefined;
}

/** The signed-in user's masks (MA1–MA10). */
export interface Masks extends Omit<MaskUseCases, "create"> {
  readonly view$: State<MasksView>;
  /** Emits when the list, its cached copy or a failure is known. */
  readonly listed$: Observable<unknown>;
  readonly query$: State<MaskQuery>;
  /** The query that the page shows; a search text arrives here after 300 ms without typing. */
  readonly shownQuery$: State<MaskQuery>;
  /** The page that the query selects, 5 cards each unless the settings say otherwise, all rows at once; it follows the search text after 300 ms without typing. */
  readonly page$: State<MaskPage>;
  /** The mask that was just created or revealed, for 5 s. */
  readonly newest$: State<MaskId | null>;
  /** Masks with a change under way. */
  readonly pendingIds$: State<ReadonlySet<MaskId>>;
  /** The mask whose address was copied, for 2 s. */
  readonly copied$: State<MaskId | null>;
  readonly plan$: State<MaskPlan>;
  readonly settings$: State<MaskListSettings>;
  /** Changes how the list shows the masks, and goes to its first page where that are others now. */
  readonly changeSettings: ChangeListSettings;
  readonly search: (text: string) => void;
  readonly filter: (filter: MaskFilter) => void;
  readonly goTo: (page: number) => void;
  /** Replaces the query; what is left out selects every mask. */
  readonly show: (query: Partial<MaskQuery>) => void;
  /** Shows the page with this mask and points it out, without a filter that hides it; false for an unknown mask. */
  readonly reveal: (id: MaskId) => boolean;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Creates a mask and copies its address where the environment allows it. */
  readonly create: (draft: MaskDraft, origin?: MaskOrigin) => TE.TaskEither<Problem, Mask>;
  readonly copyAddress: (id: MaskId) => TE.TaskEither<Problem, void>;
  /** Fetches one mask, or returns it as last seen when the server cannot be reached. */
  readonly read: (id: MaskId) => TE.TaskEither<Problem, Mask>;
  readonly statistics: (id: MaskId) => TE.TaskEither<Problem, MaskStatistics>;
  /** The number of masks and changes that were made without a connection, or have to be looked at because of that. */
  readonly waiting$: State<number>;
  /** Returns a mask as the server has it. */
  readonly find: (id: MaskId) => Mask | undefined;
  /** Has what cannot be sent now kept, and shows the masks with it. */
  readonly setKept: (kept: KeptEdits | null) => void;
  /** Shows a mask that the server made for an earlier request. */
  readonly insert: (mask: Mask) => void;
  /** Replaces a known mask with a newer version that another request returned. */
  readonly upsert: (mask: Mask) => void;
  /** Fetches one mask that was changed elsewhere; false when the fetch fails. */
  readonly refetch: (id: MaskId) => Task<boolean>;
}

export interface MasksDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly page: Pick<Page, "copy" | "narrow$">;
  readonly online$: State<boolean>;
  readonly toast: ShowToast;
  /** Emits when another user signs in, and null when nobody is signed in. */
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  /** Emits the state of the list that the server names at each connection of the socket. */
  readonly versions$: Observable<string>;
  /** Clears cached responses, so that the next requests reach the server. */
  readonly forgetPendingGets: () => void;
  readonly plan$: State<MaskPlan>;
  /** Emits when what `shown$` announces has been painted. */
  readonly afterPaint: (shown$: Observable<unknown>) => Observable<unknown>;
}

const highlightMs = 5_000;

const staleWarning = (narrow: boolean): string =>
  `Using cached mask data. ${narrow ? "Pull to refresh" : "Refresh"} when online.`;

const toMasksView = (
  { status, failure, value }: ResourceState<readonly Mask[]>,
  narrow: boolean,
  leftOut: number,
  apply: KeptEdits["apply"],
): MasksView => ({
  status,
  warning:
    status === "stale"
      ? staleWarning(narrow)
      : status === "failed" && failure !== null
        ? errorMessage("listMasks", failure)
        : null,
  leftOut: leftOutText(leftOut, "mask"),
  all: apply?.(value) ?? value,
});

export const createMasks = (deps: MasksDeps): Masks & { readonly start: () => Subscription } => {
  const { call, clock, page, toast, plan$ } = deps;
  const cache = createCache(deps.store, clock, storedKeys.cachedMasks, readableList(asReceived(Mask)));
  const masks = new MaskResource(call, cache);
  const listQuery = createMaskListQuery(clock.scheduler);
  const listSettings = createMaskListSettings(deps.store, masks.owner.current);
  const { settings$ } = listSettings;
  const newest = createTransient<MaskId>(clock.scheduler, highlightMs);
  const copyAddress = createCopyMaskAddress({ find: (id) => masks.find(id), clock, copy: page.copy, toast });
  const kept$ = createState<KeptEdits | null>(null);
  const insert = (mask: Mask): void => masks.put((list) => newestFirst(withNewerMask(mask)(list)), mask.id);
  const view$ = combineState(
    [masks.state$, page.narrow$, masks.leftOut$, mapState(kept$, (kept) => kept?.apply)],
    toMasksView,
  );

  /** Shows the page with a mask and resets a query that would hide it. */
  const reveal = (mask: Mask): void => {
    const { value } = listQuery.query$;
    const query = includesMask(value, mask) ? value : defaultMaskQuery;
    const page = pageOfMask(view$.value.all, query, settings$.value, mask.id);
    listQuery.setQuery({ ...query, page });
    newest.set(mask.id);
  };
  const onCreated = (mask: Mask): Task<boolean> => {
    masks.put(withNewerMask(mask), mask.id);
    reveal(mask);
    if (masks.state$.value.status !== "ready") startTask(masks.load);
    return beginTask(copyAddress.silently(mask));
  };
  const useCases = createMaskUseCases({
    call,
    masks,
    singleFlight: new SingleFlight(clock.scheduler),
    toast,
    mayChoosePrefix: () => mayChoosePrefix(plan$.value.tier),
    keep: (...edit) => kept$.value?.keep(...edit),
    findShown: (id) => view$.value.all.find((mask) => mask.id === id),
    onCreated,
    onRestored: insert,
  });
  const changeOwner = (email: string | null): void => {
    masks.setOwner(email);
    newest.set(null);
    copyAddress.copied.set(null);
    listQuery.setQuery(defaultMaskQuery);
  };
  return {
    ...useCases,
    view$,
    listed$: view$.pipe(filter(({ status, all }) => status !== "loading" || all.length > 0)),
    query$: listQuery.query$,
    shownQuery$: listQuery.appliedQuery$,
    page$: combineState([view$, listQuery.appliedQuery$, settings$], ({ all }, query, settings) =>
      toMaskPage(all, query, settings),
    ),
    newest$: newest.state$,
    pendingIds$: masks.pending$,
    copied$: copyAddress.copied.state$,
    plan$,
    search: listQuery.search,
    filter: (filter) => listQuery.setQuery({ filter, page: 1 }),
    goTo: (number) => listQuery.setQuery({ page: number }),
    show: (query) => listQuery.setQuery({ ...defaultMaskQuery, ...query }),
    reveal: (id) => {
      const mask = masks.find(id);
      if (mask !== undefined) reveal(mask);
      return mask !== undefined;
    },
    settings$,
    changeSettings: (change, unsavedOf) => {
      const { sort, layout, pageSize, isReversed } = settings$.value;
      listSettings.changeSettings(change, unsavedOf);
      const now = settings$.value;
      const isSameOrder = now.sort === sort && now.isReversed === isReversed;
      if (!isSameOrder || now.layout !== layout || now.pageSize.cards !== pageSize.cards)
        listQuery.setQuery({ page: 1 });
    },
    refresh: () => pipe(masks.load, TE.mapLeft(problemOf("listMasks"))),
    create: (draft, origin = { kind: "plain" }) => useCases.create(draft, origin),
    copyAddress: copyAddress.withToast,
    read: (id) => masks.get(id),
    statistics: (id) => masks.statistics(id),
    waiting$: mapState(kept$, (kept) => kept?.count ?? 0),
    find: (id) => masks.find(id),
    setKept: kept$.set,
    insert,
    upsert: (mask) => {
      if (masks.find(mask.id)) masks.put(withNewerMask(mask), mask.id);
    },
    refetch: (id) =>
      deferTask(() => {
        deps.forgetPendingGets();
        return masks.refetch(id);
      }),
    start: () => startMaskRefresh({ ...deps, masks, cache, changeOwner }),
  };
};
