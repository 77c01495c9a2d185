import type * as TE from "fp-ts/lib/TaskEither.js";
import { type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import type { Problem } from "../api/errorMessages.ts";
import { leftOutOfAnswer } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import { getInsights, postInsights } from "./insightsEndpoints.ts";
import { createInsightsQuery, type InsightsSnapshot } from "./insightsQuery.ts";
import { InsightsRefresh } from "./insightsRefresh.ts";
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

export const createInsights = (
  deps: InsightsDeps,
): Insights & FollowsTopics & { readonly start: () => Subscription } => {
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
  const refresh = new InsightsRefresh({ ...deps, query, isShown$ });

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
  return {
    topics: [{ resource: "insights" }, { resource: "keys" }, { resource: "content-access" }],
    view$,
    applyBy: commands.applyBy,
    dismiss: commands.dismiss,
    restore: commands.restore,
    selectMask: (maskId) => {
      if (maskId === snapshot$.value.maskId) return;
      query.selectMask(maskId);
      if (!refresh.isFresh()) startTask(query.load(true));
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
          refresh.forget();
        }),
      );
      subscription.add(refresh.start());
      return subscription;
    },
  };
};
