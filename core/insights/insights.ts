import type * as TE from "fp-ts/lib/TaskEither.js";
import {
  EMPTY,
  filter,
  interval,
  merge,
  type Observable,
  Subscription,
  skip,
  switchMap,
  tap,
  throttleTime,
} from "rxjs";
import type { User } from "../account/user.ts";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Call } from "../requests/call.ts";
import type { Problem } from "../sentences/problem.ts";
import type { Store } from "../storage/store.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { makeInsightsCache } from "./insightsCache.ts";
import { getInsights, postInsights } from "./insightsEndpoints.ts";
import { type InsightsHolding, makeInsightsReading } from "./insightsReading.ts";
import { makeSuggestionMarking, type SuggestionMarking } from "./markSuggestion.ts";
import { type ShownSuggestion, shownSuggestions } from "./shownSuggestions.ts";
import { makeSuggestionMarks } from "./suggestionMarks.ts";

/** What the insights tab shows. */
export interface InsightsView extends InsightsHolding {
  readonly suggestions: readonly ShownSuggestion[];
}

/** What became of the user's mail, and what would help (IN1–IN7). */
export interface Insights extends Pick<SuggestionMarking, "applyBy" | "dismiss" | "restore"> {
  readonly view$: State<InsightsView>;
  /** The figures of one mask, or with null of all. */
  readonly choose: (maskId: MaskId | null) => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** They are looked at from now on, until what this hands back is called: read now and kept up to date. */
  readonly open: () => () => void;
}

export interface InsightsNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly owner: () => string | null;
  readonly updates$: Observable<DataUpdate>;
  readonly connectivity: { readonly online$: State<boolean> };
  readonly tabs: { readonly visible$: State<boolean> };
}

/** While they are looked at they are read this often (IN6). */
const refreshEachMs = 300_000;
/** However much mail comes, they are read at most this often. */
const liveEachMs = 2_000;

/** What of the account figures or suggestions rest on. */
const moving: readonly string[] = ["insights", "masks", "mask", "rules", "account", "keys", "content-access"];

export const makeInsights = (needs: InsightsNeeds): Insights & { readonly start: () => Subscription } => {
  const { call, clock, owner, toast } = needs;
  const reading = makeInsightsReading({
    ask: (maskId, quiet) =>
      call(getInsights)({ params: maskId === null ? {} : { maskId }, ...(quiet ? { quiet: true } : {}) }),
    cache: makeInsightsCache(needs.store, clock),
    clock,
    owner,
  });
  const marks = makeSuggestionMarks(needs.store, owner, needs.user$);
  const marking = makeSuggestionMarking({
    say: (body) => call(postInsights)({ body, quiet: true }),
    marks,
    clock,
    owner,
    toast,
  });
  const { holding$ } = reading;
  const isOpen$ = makeState(false);
  const isShown$ = combineState([isOpen$, needs.tabs.visible$], (isOpen, visible) => isOpen && visible);
  /** Something has moved while nobody looked. */
  let isBehind = true;
  let isReading = false;
  let isWantedAgain = false;

  const view$ = combineState(
    [holding$, marks.all$, marking.pending$, marking.restorable$],
    (holding, known, pending, restorable): InsightsView => ({
      ...holding,
      suggestions: shownSuggestions(holding.figures.suggestions, known, {
        maskId: holding.maskId,
        askedAt: holding.askedAt ?? 0,
        pending,
        restorable,
      }),
    }),
  );
  /** One at a time; what is wanted meanwhile is read right after. */
  const readNow = (): void => {
    if (isReading) {
      isWantedAgain = true;
      return;
    }
    isReading = true;
    isBehind = false;
    void reading
      .read(true)()
      .then(() => {
        isReading = false;
        if (isWantedAgain) readNow();
      });
    isWantedAgain = false;
  };
  const isOld = (): boolean => clock.now() - (holding$.value.askedAt ?? 0) >= refreshEachMs;
  const whileShown$ = (): Observable<unknown> => {
    if (isBehind || isOld() || holding$.value.status !== "ready") readNow();
    const moved$ = needs.updates$.pipe(
      filter(({ resource }) => moving.includes(resource)),
      throttleTime(liveEachMs, clock.scheduler, { leading: true, trailing: true }),
    );
    const backOnline$ = needs.connectivity.online$.pipe(
      skip(1),
      filter((online) => online && ["stale", "failed"].includes(holding$.value.status)),
    );
    return merge(moved$, backOnline$, interval(refreshEachMs, clock.scheduler)).pipe(tap(readNow));
  };
  return {
    view$,
    applyBy: marking.applyBy,
    dismiss: marking.dismiss,
    restore: marking.restore,
    choose: (maskId) => {
      if (maskId === holding$.value.maskId) return;
      reading.choose(maskId);
      void reading.read(true)();
    },
    refresh: () => reading.read(false),
    open: () => {
      isBehind = true;
      isOpen$.set(true);
      return () => isOpen$.set(false);
    },
    start: () => {
      const running = new Subscription();
      running.add(
        needs.user$.subscribe(() => {
          marking.reset();
          reading.reset();
          isBehind = true;
          if (isShown$.value) readNow();
        }),
      );
      running.add(
        needs.updates$.pipe(filter(() => !isShown$.value)).subscribe(() => {
          isBehind = true;
        }),
      );
      running.add(isShown$.pipe(switchMap((isShown) => (isShown ? whileShown$() : EMPTY))).subscribe());
      return running;
    },
  };
};
