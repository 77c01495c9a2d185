import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import {
  defer,
  EMPTY,
  exhaustMap,
  filter,
  interval,
  merge,
  type Observable,
  Subscription,
  startWith,
  switchMap,
  take,
} from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { maxRecordChecks, recordCheckMs } from "../domains/checkRepeatedly.ts";
import type { Failure } from "../kernel/failure.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import {
  getOperatorChecks,
  getOperatorOverview,
  type OperatorChecks,
  type OperatorOverview,
} from "./operatorEndpoints.ts";

/** The state of the operator's page. */
export interface OperatorView {
  /** Null until they are loaded. */
  readonly overview: OperatorOverview | null;
  readonly checks: OperatorChecks | null;
  /** The reason for which the figures are missing or old; empty otherwise. */
  readonly overviewMessage: string;
  readonly checksMessage: string;
}

/** The figures and checks of an installation, for those who run it. */
export interface Operator {
  readonly view$: State<OperatorView>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Loads everything and keeps it up to date until the returned function is called. */
  readonly open: () => () => void;
}

export interface OperatorDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly tabs: { readonly visible$: State<boolean> };
}

const overviewIntervalMs = 30_000;

const toOverviewProblem = problemOf({ page: "Failed to load the figures of the server" });
const toChecksProblem = problemOf({ page: "Failed to check the server" });

const first = -1;

/** The option of a repeated call: no toast says that it has failed. */
type Quiet = { readonly silent?: true };

const emptyView: OperatorView = { overview: null, checks: null, overviewMessage: "", checksMessage: "" };

/** True if the checks are repeated, because a DNS record is not what it should be. */
export const isAwaitingDns = (checks: OperatorChecks | null): boolean =>
  checks === null || checks.dns.some(({ state }) => state !== "ok");

export const createOperator = ({
  call,
  clock,
  tabs,
}: OperatorDeps): Operator & { readonly start: () => Subscription } => {
  const view$ = createState(emptyView);
  const isOpen$ = createState(false);
  const isShown$ = combineState([isOpen$, tabs.visible$], (isOpen, isVisible) => isOpen && isVisible);

  /** A failure keeps what is shown and says why it is old. */
  const load = <A>(
    request: TE.TaskEither<Failure, A>,
    problem: (failure: Failure) => Problem,
    show: (answer: A | null, message: string) => Partial<OperatorView>,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      request,
      TE.bimap(problem, (answer) => view$.update((view) => ({ ...view, ...show(answer, "") }))),
      tapResult((result) => {
        if (result._tag === "Left") view$.update((view) => ({ ...view, ...show(null, result.left.message) }));
      }),
    );
  const loadOverview = (quiet: Quiet) =>
    load(call(getOperatorOverview)(quiet), toOverviewProblem, (overview, overviewMessage) => ({
      ...(overview && { overview }),
      overviewMessage,
    }));
  const loadChecks = (quiet: Quiet) =>
    load(call(getOperatorChecks)(quiet), toChecksProblem, (checks, checksMessage) => ({
      ...(checks && { checks }),
      checksMessage,
    }));
  /** Emits `first` at once, and then after each interval. */
  const fromNow = (ms: number): Observable<number> => interval(ms, clock.scheduler).pipe(startWith(first));
  const whileShown$ = () =>
    merge(
      fromNow(overviewIntervalMs).pipe(
        exhaustMap((count) => defer(loadOverview(count === first ? {} : { silent: true }))),
      ),
      fromNow(recordCheckMs).pipe(
        take(maxRecordChecks),
        filter((count) => count === first || isAwaitingDns(view$.value.checks)),
        exhaustMap((count) => defer(loadChecks(count === first ? {} : { silent: true }))),
      ),
    );
  return {
    view$,
    refresh: () =>
      pipe(
        loadOverview({}),
        TE.chain(() => loadChecks({})),
      ),
    open: () => {
      isOpen$.set(true);
      return () => isOpen$.set(false);
    },
    start: () => {
      const running = new Subscription();
      running.add(isShown$.pipe(switchMap((isShown) => (isShown ? whileShown$() : EMPTY))).subscribe());
      return running;
    },
  };
};
