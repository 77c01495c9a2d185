import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import { makeRestorable } from "../kernel/restorable.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Fallbacks } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { type ShowToast, toastForMs } from "../toasts/toast.ts";
import { type Suggestion, type SuggestionStatus, suggestionStatus } from "./suggestion.ts";
import type { SuggestionMarks } from "./suggestionMarks.ts";

/** Where a suggestion that names no category belongs (IN3). */
const everyCategory = "All";

const sentence = "Failed to update suggestion status";
const failed: Fallbacks = { here: sentence, unreached: sentence, unreadable: sentence };

export type SaySuggestion = (said: {
  readonly actionKey: string;
  readonly category: string;
  readonly status: SuggestionStatus;
}) => TE.TaskEither<Failure, unknown>;

/** What can be done with a suggestion: shown at once, and taken back when the server says no (IN3). */
export interface SuggestionMarking {
  /**
   * Does what a suggestion asks for, and marks it as applied. The server hears of it first: once it is done, its cause
   * may be gone and the suggestion with it. A deed that fails leaves it as it was.
   */
  readonly applyBy: <A>(suggestion: Suggestion, deed: TE.TaskEither<Problem, A>) => TE.TaskEither<Problem, A>;
  /** Leaves the list; for 5 s it can be taken back there. */
  readonly dismiss: (suggestion: Suggestion) => TE.TaskEither<Problem, void>;
  readonly restore: (suggestion: Suggestion) => TE.TaskEither<Problem, void>;
  /** Those whose mark the server has not confirmed yet. */
  readonly pending$: State<ReadonlySet<string>>;
  readonly restorable$: State<ReadonlySet<string>>;
  /** Another user: what waits is nobody's any more. */
  readonly reset: () => void;
}

interface Needs {
  readonly say: SaySuggestion;
  readonly marks: SuggestionMarks;
  readonly clock: Clock;
  readonly owner: () => string | null;
  readonly toast: ShowToast;
}

const none: ReadonlySet<string> = new Set();

export const makeSuggestionMarking = (needs: Needs): SuggestionMarking => {
  const { say, marks, clock, owner, toast } = needs;
  const pending$ = makeState(none);
  const restorable = makeRestorable<string>(clock.scheduler, toastForMs);
  /** The last word on each suggestion that is under way: the next one waits for it. */
  const underWay = new Map<string, Promise<unknown>>();

  const mark =
    (suggestion: Suggestion, status: SuggestionStatus, how?: "quietly"): TE.TaskEither<Problem, void> =>
    () => {
      const { actionKey } = suggestion;
      const category = suggestion.category || everyCategory;
      const who = owner();
      const before = marks.of(actionKey);
      const put = (): void => {
        const whole = status === suggestionStatus.applied ? { suggestion } : {};
        marks.put({ actionKey, category, status, timestamp: clock.now(), ...whole });
      };
      const takeBack = (): void => {
        restorable.release(actionKey);
        if (before) marks.put(before);
        else marks.remove(actionKey);
      };
      const settled = (): void =>
        pending$.update((keys) => new Set([...keys].filter((key) => key !== actionKey)));
      const refused = (failure: Failure): void => {
        takeBack();
        if (how === undefined) toast("error", problemOf(failed)(failure).sentence);
        settled();
      };
      const agreed = (): void => {
        put();
        settled();
      };
      put();
      pending$.update((keys) => new Set([...keys, actionKey]));
      const said: Promise<E.Either<Problem, void>> = (underWay.get(actionKey) ?? Promise.resolve())
        .then(say({ actionKey, category, status }))
        .then((result) => {
          const isLast = underWay.get(actionKey) === said;
          if (isLast) underWay.delete(actionKey);
          if (owner() === who && isLast) E.match(refused, agreed)(result);
          return E.bimap(problemOf(failed), () => undefined)(result);
        });
      underWay.set(actionKey, said);
      return said;
    };
  /** Takes back what was said too early, unless the same deed is under way a second time. */
  const unsay = (suggestion: Suggestion, { failure }: Problem): Promise<unknown> =>
    failure.kind === "busy" ? Promise.resolve() : mark(suggestion, suggestionStatus.open, "quietly")();
  const applyBy: SuggestionMarking["applyBy"] = (suggestion, deed) => () =>
    mark(suggestion, suggestionStatus.applied, "quietly")().then((said) =>
      deed().then((done) => {
        if (E.isLeft(done)) void unsay(suggestion, done.left);
        else if (E.isLeft(said)) void mark(suggestion, suggestionStatus.applied)();
        return done;
      }),
    );
  return {
    pending$,
    restorable$: restorable.keys$,
    applyBy,
    dismiss: (suggestion) => () => {
      restorable.hold(suggestion.actionKey);
      return mark(suggestion, suggestionStatus.dismissed)();
    },
    restore: (suggestion) => () => {
      restorable.release(suggestion.actionKey);
      return mark(suggestion, suggestionStatus.open)();
    },
    reset: () => {
      restorable.clear();
      underWay.clear();
      pending$.set(none);
    },
  };
};
