import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { User } from "../account/user.ts";
import { combineState, type State } from "../kernel/state.ts";
import { makeSubmission } from "../kernel/submission.ts";
import { makeTransient } from "../kernel/transient.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Call } from "../requests/call.ts";
import type { Problem } from "../sentences/problem.ts";
import type { Store } from "../storage/store.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { makeAskAgain } from "./askAgain.ts";
import { makeAskedMasks } from "./askedMasks.ts";
import { makeCopyMaskAddress } from "./copyMaskAddress.ts";
import { makeCreateMask } from "./createMask.ts";
import { makeEditMask } from "./editMask.ts";
import { type Holding, makeHeldMasks } from "./heldMasks.ts";
import type { Mask, MaskId } from "./mask.ts";
import { makeChanger } from "./maskChange.ts";
import type { MaskDraft, MaskOrigin } from "./maskDraft.ts";
import { type MaskPage, maskPage, showsMask } from "./maskList.ts";
import { everyMask, type MaskFilter, type MaskQuery } from "./maskQuery.ts";
import { makeMaskCache, makeMaskReading } from "./maskReading.ts";
import type { MaskStatistics } from "./maskStatistics.ts";
import { keepUpToDate } from "./maskUpkeep.ts";
import { makeRemoteMasks } from "./remoteMasks.ts";
import { makeRemoveMask } from "./removeMask.ts";
import { makeToggleMask } from "./toggleMask.ts";

export interface MasksView {
  /** `stale`: from the cache, with a warning. */
  readonly status: Holding["status"];
  /** MA9's sentence while stale; the failure's while failed. */
  readonly warning: string | null;
  /** The newest first. */
  readonly all: readonly Mask[];
}

/** The signed-in user's masks (MA1–MA10). */
export interface Masks {
  readonly view$: State<MasksView>;
  readonly query$: State<MaskQuery>;
  /** What the query means, 5 masks a page; a search follows 300 ms after its last letter. */
  readonly page$: State<MaskPage>;
  /** The mask just created, for 5 s. */
  readonly newest$: State<MaskId | null>;
  /** Masks of which a change is under way. */
  readonly pendingIds$: State<ReadonlySet<MaskId>>;
  /** The mask whose address was copied, for 2 s. */
  readonly copied$: State<MaskId | null>;
  readonly mayChoosePrefix$: State<boolean>;
  readonly search: (text: string) => void;
  readonly filter: (filter: MaskFilter) => void;
  readonly goTo: (page: number) => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Copies the new address where the environment lets us. */
  readonly create: (draft: MaskDraft, origin?: MaskOrigin) => TE.TaskEither<Problem, Mask>;
  readonly edit: (id: MaskId, draft: MaskDraft) => TE.TaskEither<Problem, Mask>;
  /** Shown at once, and taken back when the server says no. */
  readonly setActive: (id: MaskId, active: boolean) => TE.TaskEither<Problem, void>;
  /** Sends the mail that asks to confirm the forward-to once more; says when the last one is too recent (D33). */
  readonly askAgain: (mask: Pick<Mask, "id" | "forwardTo">) => TE.TaskEither<Problem, Mask>;
  readonly remove: (id: MaskId) => TE.TaskEither<Problem, void>;
  readonly copyAddress: (id: MaskId) => TE.TaskEither<Problem, void>;
  /** One mask from the server, or as it was last seen when the server cannot be reached. */
  readonly read: (id: MaskId) => TE.TaskEither<Problem, Mask>;
  readonly statistics: (id: MaskId) => TE.TaskEither<Problem, MaskStatistics>;
  /** A mask as the server has told it elsewhere, as with its rules. */
  readonly told: (mask: Mask) => void;
  /** Reads one mask anew, because it was changed elsewhere; false when it cannot be had. */
  readonly reread: (id: MaskId) => Promise<boolean>;
}

export interface MasksNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly page: Pick<Page, "copy" | "narrow$">;
  readonly online$: State<boolean>;
  readonly toast: ShowToast;
  /** Announces another user, or nobody. */
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  /** What was asked before is not good enough for what is asked from now on. */
  readonly forgetAnswers: () => void;
  readonly mayChoosePrefix$: State<boolean>;
}

/** How long a new mask stands out. */
const newestForMs = 5_000;

const staleWarning = (narrow: boolean): string =>
  `Using cached mask data. ${narrow ? "Pull to refresh" : "Refresh"} when online.`;

const viewOf = ({ status, sentence, masks }: Holding, narrow: boolean): MasksView => ({
  status,
  warning: status === "stale" ? staleWarning(narrow) : status === "failed" ? sentence : null,
  all: masks,
});

export const makeMasks = (needs: MasksNeeds): Masks & { readonly start: () => Subscription } => {
  const { call, clock, store, page, toast, mayChoosePrefix$ } = needs;
  const held = makeHeldMasks();
  const gateway = makeRemoteMasks(call);
  const cache = makeMaskCache(store, clock);
  const asked = makeAskedMasks(clock.scheduler);
  const newest = makeTransient<MaskId>(clock.scheduler, newestForMs);
  let owner: string | null = null;
  const reading = makeMaskReading({
    gateway,
    held,
    remembered: () => (owner === null ? null : (cache.read(owner)?.value ?? null)),
  });
  const copying = makeCopyMaskAddress({ held, clock, copy: page.copy, toast });
  const reload = (): void => void reading.list()();
  const change = makeChanger({ held, toast, reload });
  const submission = makeSubmission(clock.scheduler);
  const mayChoosePrefix = (): boolean => mayChoosePrefix$.value;
  const view$ = combineState([held.holding$, page.narrow$], viewOf);

  /** A new mask stands at the top of the first page, whatever was searched for. */
  const arrived = (mask: Mask): void => {
    held.put(mask);
    newest.set(mask.id);
    asked.ask(showsMask(asked.query$.value, mask) ? { page: 1 } : everyMask);
    copying.quietly(mask);
    if (held.holding$.value.status !== "ready") reload();
  };
  const create = makeCreateMask({ gateway, submission, change, mayChoosePrefix, arrived });
  const changeOwner = (email: string | null): void => {
    owner = email;
    held.reset();
    newest.set(null);
    copying.copied.set(null);
    asked.ask(everyMask);
  };
  return {
    view$,
    query$: asked.query$,
    page$: combineState([view$, asked.asked$], ({ all }, query) => maskPage(all, query)),
    newest$: newest.state$,
    pendingIds$: held.pendingIds$,
    copied$: copying.copied.state$,
    mayChoosePrefix$,
    search: asked.search,
    filter: (filter) => asked.ask({ filter, page: 1 }),
    goTo: (number) => asked.ask({ page: number }),
    refresh: reading.list,
    create: (draft, origin = { kind: "plain" }) => create(draft, origin),
    edit: makeEditMask({ gateway, held, submission, change, mayChoosePrefix }),
    setActive: makeToggleMask({ gateway, held, change, toast }),
    askAgain: makeAskAgain({ gateway, held, change }),
    remove: makeRemoveMask({ gateway, held, change }),
    copyAddress: copying.aloud,
    read: reading.one,
    statistics: reading.statistics,
    told: (mask) => {
      if (held.find(mask.id)) held.put(mask);
    },
    reread: (id) => {
      needs.forgetAnswers();
      return reading.anew(id);
    },
    start: () => keepUpToDate({ ...needs, held, reading, cache, changeOwner }),
  };
};
