import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import type { Problem } from "../api/errorMessages.ts";
import { combineState, type State } from "../kernel/state.ts";
import { createSubmission } from "../kernel/submission.ts";
import { createTransient } from "../kernel/timedState.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import { createCopyMaskAddress } from "./copyMaskAddress.ts";
import type { Mask, MaskId } from "./mask.ts";
import { createMaskChanges } from "./maskChange.ts";
import type { MaskDraft, MaskOrigin } from "./maskDraft.ts";
import { createMaskGateway } from "./maskGateway.ts";
import { createMaskListQuery, includesMask, type MaskPage, toMaskPage } from "./maskList.ts";
import { createMaskCache, createMaskLoader } from "./maskLoader.ts";
import { defaultMaskQuery, type MaskFilter, type MaskQuery } from "./maskQuery.ts";
import { startMaskRefresh } from "./maskRefresh.ts";
import type { MaskStatistics } from "./maskStatistics.ts";
import { createMaskStore, type MaskSnapshot } from "./maskStore.ts";
import {
  createAskAgain,
  createCreateMask,
  createEditMask,
  createRemoveMask,
  createToggleMask,
} from "./maskUseCases.ts";

export interface MasksView {
  /** `stale` means that the masks come from the cache; `warning` says so. */
  readonly status: MaskSnapshot["status"];
  /** The stale warning (MA9) while stale, the failure's message while failed, otherwise null. */
  readonly warning: string | null;
  /** All masks, newest first. */
  readonly all: readonly Mask[];
}

/** The signed-in user's masks (MA1–MA10). */
export interface Masks {
  readonly view$: State<MasksView>;
  readonly query$: State<MaskQuery>;
  /**
   * The page that the query selects, 5 masks each; it follows the search text after 300 ms without typing.
   */
  readonly page$: State<MaskPage>;
  /** The mask that was just created, for 5 s. */
  readonly newest$: State<MaskId | null>;
  /** Masks with a change under way. */
  readonly pendingIds$: State<ReadonlySet<MaskId>>;
  /** The mask whose address was copied, for 2 s. */
  readonly copied$: State<MaskId | null>;
  readonly mayChoosePrefix$: State<boolean>;
  readonly search: (text: string) => void;
  readonly filter: (filter: MaskFilter) => void;
  readonly goTo: (page: number) => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Creates a mask and copies its address where the environment allows it. */
  readonly create: (draft: MaskDraft, origin?: MaskOrigin) => TE.TaskEither<Problem, Mask>;
  readonly edit: (id: MaskId, draft: MaskDraft) => TE.TaskEither<Problem, Mask>;
  /** Shows the new state immediately and reverts it when the server refuses. */
  readonly setActive: (id: MaskId, active: boolean) => TE.TaskEither<Problem, void>;
  /**
   * Sends the confirmation mail for the forward-to address again; the toast says when the last one is too
   * recent (D33).
   */
  readonly askAgain: (mask: Pick<Mask, "id" | "forwardTo">) => TE.TaskEither<Problem, Mask>;
  readonly remove: (id: MaskId) => TE.TaskEither<Problem, void>;
  readonly copyAddress: (id: MaskId) => TE.TaskEither<Problem, void>;
  /** Fetches one mask, or returns it as last seen when the server cannot be reached. */
  readonly read: (id: MaskId) => TE.TaskEither<Problem, Mask>;
  readonly statistics: (id: MaskId) => TE.TaskEither<Problem, MaskStatistics>;
  /** Replaces a known mask with a newer version that another request returned. */
  readonly upsert: (mask: Mask) => void;
  /** Fetches one mask that was changed elsewhere; false when the fetch fails. */
  readonly refetch: (id: MaskId) => Promise<boolean>;
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
  /** Clears cached responses, so that the next requests reach the server. */
  readonly forgetPendingGets: () => void;
  readonly mayChoosePrefix$: State<boolean>;
}

/** How long a new mask is highlighted. */
const highlightMs = 5_000;

const staleWarning = (narrow: boolean): string =>
  `Using cached mask data. ${narrow ? "Pull to refresh" : "Refresh"} when online.`;

const toMasksView = ({ status, message, masks }: MaskSnapshot, narrow: boolean): MasksView => ({
  status,
  warning: status === "stale" ? staleWarning(narrow) : status === "failed" ? message : null,
  all: masks,
});

export const createMasks = (deps: MasksDeps): Masks & { readonly start: () => Subscription } => {
  const { call, clock, store, page, toast, mayChoosePrefix$ } = deps;
  const maskStore = createMaskStore();
  const gateway = createMaskGateway(call);
  const cache = createMaskCache(store, clock);
  const listQuery = createMaskListQuery(clock.scheduler);
  const newest = createTransient<MaskId>(clock.scheduler, highlightMs);
  let owner: string | null = null;
  const loader = createMaskLoader({
    gateway,
    maskStore,
    getCachedMasks: () => (owner === null ? null : (cache.read(owner)?.value ?? null)),
  });
  const copyAddress = createCopyMaskAddress({ maskStore, clock, copy: page.copy, toast });
  const refetchList = (): void => void loader.list()();
  const runChange = createMaskChanges({ maskStore, toast, refetchList });
  const submission = createSubmission(clock.scheduler);
  const mayChoosePrefix = (): boolean => mayChoosePrefix$.value;
  const view$ = combineState([maskStore.snapshot$, page.narrow$], toMasksView);

  /** Shows a new mask at the top of the first page and resets a query that would hide it. */
  const onCreated = (mask: Mask): void => {
    maskStore.put(mask);
    newest.set(mask.id);
    listQuery.setQuery(includesMask(listQuery.query$.value, mask) ? { page: 1 } : defaultMaskQuery);
    copyAddress.silently(mask);
    if (maskStore.snapshot$.value.status !== "ready") refetchList();
  };
  const create = createCreateMask({ gateway, submission, runChange, mayChoosePrefix, onCreated });
  const changeOwner = (email: string | null): void => {
    owner = email;
    maskStore.reset();
    newest.set(null);
    copyAddress.copied.set(null);
    listQuery.setQuery(defaultMaskQuery);
  };
  return {
    view$,
    query$: listQuery.query$,
    page$: combineState([view$, listQuery.appliedQuery$], ({ all }, query) => toMaskPage(all, query)),
    newest$: newest.state$,
    pendingIds$: maskStore.pendingIds$,
    copied$: copyAddress.copied.state$,
    mayChoosePrefix$,
    search: listQuery.search,
    filter: (filter) => listQuery.setQuery({ filter, page: 1 }),
    goTo: (number) => listQuery.setQuery({ page: number }),
    refresh: loader.list,
    create: (draft, origin = { kind: "plain" }) => create(draft, origin),
    edit: createEditMask({ gateway, maskStore, submission, runChange, mayChoosePrefix }),
    setActive: createToggleMask({ gateway, maskStore, runChange, toast }),
    askAgain: createAskAgain({ gateway, maskStore, runChange }),
    remove: createRemoveMask({ gateway, maskStore, runChange }),
    copyAddress: copyAddress.withToast,
    read: loader.get,
    statistics: loader.statistics,
    upsert: (mask) => {
      if (maskStore.find(mask.id)) maskStore.put(mask);
    },
    refetch: (id) => {
      deps.forgetPendingGets();
      return loader.refetch(id);
    },
    start: () => startMaskRefresh({ ...deps, maskStore, loader, cache, changeOwner }),
  };
};
