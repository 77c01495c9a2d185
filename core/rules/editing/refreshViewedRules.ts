import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { debounceTime, distinctUntilChanged, filter, map, type Observable, type Subscription } from "rxjs";
import { ageMs } from "../../kernel/age.ts";
import { type Failure, isUserNotified } from "../../kernel/failure.ts";
import type { State } from "../../kernel/state.ts";
import { startTask } from "../../kernel/task.ts";
import type { ShowToast } from "../../kernel/toast.ts";
import type { Clock } from "../../ports/clock.ts";
import { reasonAfterSentence } from "../sync/saveFailure.ts";
import type { MasksState } from "./rulesView.ts";
import { isNetworkError } from "./saveRules.ts";

/** Rules older than this are fetched again when they are viewed (RU10). */
const staleAfterMs = 300_000;
/** Rules that are viewed for a shorter time are not fetched. */
export const viewDebounceMs = 300;

/** The message of RU9. */
const dataFailedMessage = (reason: string): string => `Failed to load rule data: ${reason}`;

export interface RefreshRulesDeps {
  readonly masks$: State<MasksState>;
  /** Fetches the masks with their rules from the server. */
  readonly reload: TE.TaskEither<Failure, void>;
  readonly clock: Clock;
  readonly toast: ShowToast;
}

/** Fetches old rules again when `viewed$` says that they are viewed, until the subscription ends. */
export const refreshViewedRules = (
  { masks$, reload, clock, toast }: RefreshRulesDeps,
  viewed$: Observable<unknown>,
): Subscription => {
  let fetchedAt = Number.NEGATIVE_INFINITY;
  const markFetched = (): void => {
    fetchedAt = clock.now();
  };
  const showFailure = (failure: Failure): void => {
    if (isUserNotified(failure)) return;
    const message = dataFailedMessage(reasonAfterSentence(failure));
    toast(isNetworkError(message) ? "warning" : "error", message);
  };
  const refresh = pipe(
    reload,
    TE.tapIO(() => markFetched),
    TE.orElseFirstIOK((failure) => () => showFailure(failure)),
  );
  const fetched$ = masks$.pipe(
    filter(({ status }) => status === "ready"),
    map(({ all }) => all),
    distinctUntilChanged(),
  );
  const old$ = viewed$.pipe(
    debounceTime(viewDebounceMs, clock.scheduler),
    filter(() => ageMs(fetchedAt, clock.now()) > staleAfterMs),
  );
  const running = fetched$.subscribe(markFetched);
  running.add(old$.subscribe(() => startTask(refresh)));
  return running;
};
