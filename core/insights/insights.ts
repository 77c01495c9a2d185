import { pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import {
  EMPTY,
  filter,
  interval,
  map,
  merge,
  type Observable,
  Subscription,
  switchMap,
  tap,
  throttleTime,
} from "rxjs";
import type { Call } from "../api/call.ts";
import type { Problem } from "../api/errorMessages.ts";
import { leftOutOfAnswer } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { isFetchFailed } from "../kernel/resource.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { startTask, tapResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import { lifetimesMs } from "../storage/storedKeys.ts";
import { getInsights, postInsights } from "./insightsEndpoints.ts";
import { createInsightsQuery, type InsightsSnapshot } from "./insightsQuery.ts";
import { createSuggestionCommands, type SuggestionCommands } from "./suggestionCommands.ts";
import { type ShownSuggestion, shownSuggestions } from "./suggestionList.ts";
import { createSuggestionMarks } from "./suggestionMarks.ts";

/** The state of the insights tab. */
export interface InsightsView extends InsightsSnapshot {
  readonly suggestions: readonly ShownSuggestion[];
  /** Says how many figures could not be shown; empty for none. */
  readonly leftOut: string;
}

/** The statistics of the user's mail and the suggestions (IN1–IN7). */
export interface Insights extends Pick<SuggestionCommands, "applyBy" | "dismiss" | "restore"> {
  readonly view$: State<InsightsView>;
  /** Selects one mask, or all masks with null. */
  readonly selectMask: (maskId: MaskId | null) => void;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Loads insights older than 600 s or changed since, and keeps them up to date until the returned function is called. */
  readonly open: () => () => void;
}

export interface InsightsDeps {
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

/** How often visible insights are refreshed (IN6). */
const refreshIntervalMs = 300_000;
const changeThrottleMs = 2_000;

const accountResources: readonly string[] = ["insights", "account", "keys", "content-access"];
const maskResources: readonly string[] = ["masks", "mask", "rules"];

/** Whether a change may alter figures at all. */
const isRelevant = ({ resource, action }: DataUpdate): boolean =>
  action !== "connected" && (accountResources.includes(resource) || maskResources.includes(resource));

/** Whether a relevant change may alter the figures of one mask, or of all (null). */
const concerns = ({ resource, resourceId }: DataUpdate, maskId: MaskId | null): boolean =>
  maskId === null || accountResources.includes(resource) || resourceId === undefined || resourceId === maskId;

export const createInsights = (deps: InsightsDeps): Insights & { readonly start: () => Subscription } => {
  const { call, clock, owner, toast } = deps;
  const query = createInsightsQuery({
    request: (maskId, quiet) =>
      call(getInsights)({ params: maskId === null ? {} : { maskId }, ...(quiet ? { silent: true } : {}) }),
    store: deps.store,
    clock,
  });
  const marks = createSuggestionMarks(deps.store, owner, deps.user$);
  const commands = createSuggestionCommands({
    sendStatus: (body) => call(postInsights)({ body, silent: true }),
    marks,
    clock,
    owner,
    toast,
  });
  const { snapshot$ } = query;
  const isOpen$ = createState(false);
  const isShown$ = combineState([isOpen$, deps.tabs.visible$], (isOpen, visible) => isOpen && visible);
  /** True when a relevant change arrived while the insights were hidden. */
  let isOutdated = false;
  let isLoading = false;
  let isReloadQueued = false;

  const view$ = combineState(
    [snapshot$, marks.all$, commands.pending$, commands.restorable$],
    (snapshot, markList, pending, restorable): InsightsView => ({
      ...snapshot,
      leftOut: leftOutText(leftOutOfAnswer(snapshot.figures).length, "figure"),
      suggestions: shownSuggestions(snapshot.figures.suggestions, markList, {
        maskId: snapshot.maskId,
        askedAt: snapshot.askedAt ?? 0,
        pending,
        restorable,
      }),
    }),
  );
  /** Refreshes; a call during a refresh starts another one afterwards. */
  const reload = (): void => {
    if (isLoading) {
      isReloadQueued = true;
      return;
    }
    isLoading = true;
    isOutdated = false;
    isReloadQueued = false;
    startTask(
      pipe(
        query.load(true),
        tapResult(() => {
          isLoading = false;
          if (isReloadQueued) reload();
        }),
      ),
    );
  };
  /** The changes of other masks than the selected one, with their times. */
  let changesElsewhere: readonly (readonly [DataUpdate, number])[] = [];
  const isFresh = (): boolean => {
    const { maskId, status, askedAt } = snapshot$.value;
    const changedAt = changesElsewhere.flatMap(([update, at]) => (concerns(update, maskId) ? [at] : []));
    return (
      status === "ready" &&
      clock.now() - (askedAt ?? 0) < lifetimesMs.insights &&
      Math.max(0, ...changedAt) <= (askedAt ?? 0)
    );
  };
  const updates$ = deps.updates$.pipe(filter(isRelevant));
  const relevantUpdates$ = updates$.pipe(filter((update) => concerns(update, snapshot$.value.maskId)));
  const noteElsewhere = (update: DataUpdate): void => {
    const others = changesElsewhere.filter(([{ resourceId }]) => resourceId !== update.resourceId);
    changesElsewhere = [...others, [update, clock.now()]];
  };
  const whileShown$ = (): Observable<unknown> => {
    if (isOutdated || !isFresh()) reload();
    const changed$ = relevantUpdates$.pipe(
      throttleTime(changeThrottleMs, clock.scheduler, { leading: true, trailing: true }),
    );
    const backOnline$ = failedBackOnline(
      deps.connectivity.online$,
      snapshot$.pipe(map(isFetchFailed)),
      clock.scheduler,
    );
    return merge(changed$, backOnline$, interval(refreshIntervalMs, clock.scheduler)).pipe(tap(reload));
  };
  return {
    view$,
    applyBy: commands.applyBy,
    dismiss: commands.dismiss,
    restore: commands.restore,
    selectMask: (maskId) => {
      if (maskId === snapshot$.value.maskId) return;
      query.selectMask(maskId);
      if (!isFresh()) startTask(query.load(true));
    },
    refresh: () => query.load(false),
    open: () => {
      isOpen$.set(true);
      return () => isOpen$.set(false);
    },
    start: () => {
      const subscription = new Subscription();
      subscription.add(
        deps.user$.subscribe((user) => {
          commands.reset();
          query.setOwner(user?.email ?? null);
          changesElsewhere = [];
          isOutdated = false;
          if (isShown$.value && !isFresh()) reload();
        }),
      );
      subscription.add(
        updates$.pipe(filter((update) => !concerns(update, snapshot$.value.maskId))).subscribe(noteElsewhere),
      );
      subscription.add(
        relevantUpdates$.pipe(filter(() => !isShown$.value)).subscribe(() => {
          isOutdated = true;
        }),
      );
      subscription.add(isShown$.pipe(switchMap((isShown) => (isShown ? whileShown$() : EMPTY))).subscribe());
      return subscription;
    },
  };
};
