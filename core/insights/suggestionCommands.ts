import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { createRestorable } from "../kernel/timedState.ts";
import { type ShowToast, toastForMs } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import { type Suggestion, type SuggestionStatus, suggestionStatus } from "./suggestion.ts";
import type { SuggestionMarks } from "./suggestionMarks.ts";

/** The category that stands for none (IN3). */
const everyCategory = "All";

const failureMessage = "Failed to update suggestion status";
const failureMessages: FallbackMessages = {
  page: failureMessage,
  unanswered: failureMessage,
  unreadable: failureMessage,
};

export type SendSuggestionStatus = (body: {
  readonly actionKey: string;
  readonly category: string;
  readonly status: SuggestionStatus;
}) => TE.TaskEither<Failure, unknown>;

/** The actions on suggestions: they show immediately and are undone when the request fails (IN3). */
export interface SuggestionCommands {
  /**
   * Marks a suggestion as applied, and runs the action that it suggests. The mark is sent first because the
   * action may remove the suggestion's cause and with it the suggestion. A failed action undoes the mark.
   */
  readonly applyBy: <A>(
    suggestion: Suggestion,
    action: TE.TaskEither<Problem, A>,
  ) => TE.TaskEither<Problem, A>;
  /** Dismisses a suggestion; the list offers to restore it for 5 s. */
  readonly dismiss: (suggestion: Suggestion) => TE.TaskEither<Problem, void>;
  readonly restore: (suggestion: Suggestion) => TE.TaskEither<Problem, void>;
  /** The suggestions with a mark that the server has not confirmed yet. */
  readonly pending$: State<ReadonlySet<string>>;
  readonly restorable$: State<ReadonlySet<string>>;
  /** Drops everything that is pending when the user changes. */
  readonly reset: () => void;
}

interface Deps {
  readonly sendStatus: SendSuggestionStatus;
  readonly marks: SuggestionMarks;
  readonly clock: Clock;
  readonly owner: () => string | null;
  readonly toast: ShowToast;
}

const none: ReadonlySet<string> = new Set();

export const createSuggestionCommands = (deps: Deps): SuggestionCommands => {
  const { sendStatus, marks, clock, owner, toast } = deps;
  const pending$ = createState(none);
  const restorable = createRestorable<string>(clock.scheduler, toastForMs);
  /** The last request for each suggestion; the next one waits for it. */
  const pendingRequests = new Map<string, Promise<unknown>>();

  const mark =
    (suggestion: Suggestion, status: SuggestionStatus, mode?: "quietly"): TE.TaskEither<Problem, void> =>
    () => {
      const { actionKey } = suggestion;
      const category = suggestion.category || everyCategory;
      const user = owner();
      const before = marks.get(actionKey);
      const putMark = (): void => {
        const appliedSuggestion = status === suggestionStatus.applied ? { suggestion } : {};
        marks.put({ actionKey, category, status, timestamp: clock.now(), ...appliedSuggestion });
      };
      const undo = (): void => {
        restorable.remove(actionKey);
        if (before) marks.put(before);
        else marks.remove(actionKey);
      };
      const removePending = (): void =>
        pending$.update((keys) => new Set([...keys].filter((key) => key !== actionKey)));
      const onFailure = (failure: Failure): void => {
        undo();
        if (mode === undefined) toast("error", problemOf(failureMessages)(failure).message);
        removePending();
      };
      const onSuccess = (): void => {
        putMark();
        removePending();
      };
      putMark();
      pending$.update((keys) => new Set([...keys, actionKey]));
      const sending: Promise<E.Either<Problem, void>> = (pendingRequests.get(actionKey) ?? Promise.resolve())
        .then(sendStatus({ actionKey, category, status }))
        .then((result) => {
          const isLast = pendingRequests.get(actionKey) === sending;
          if (isLast) pendingRequests.delete(actionKey);
          if (owner() === user && isLast) E.match(onFailure, onSuccess)(result);
          return E.bimap(problemOf(failureMessages), () => undefined)(result);
        });
      pendingRequests.set(actionKey, sending);
      return sending;
    };
  /** Undoes the applied mark, unless the action failed because it already runs. */
  const undoMark = (suggestion: Suggestion, { failure }: Problem): Promise<unknown> =>
    failure.kind === "busy" ? Promise.resolve() : mark(suggestion, suggestionStatus.open, "quietly")();
  const applyBy: SuggestionCommands["applyBy"] = (suggestion, action) => () =>
    mark(suggestion, suggestionStatus.applied, "quietly")().then((sending) =>
      action().then((result) => {
        if (E.isLeft(result)) void undoMark(suggestion, result.left);
        else if (E.isLeft(sending)) void mark(suggestion, suggestionStatus.applied)();
        return result;
      }),
    );
  return {
    pending$,
    restorable$: restorable.keys$,
    applyBy,
    dismiss: (suggestion) => () => {
      restorable.add(suggestion.actionKey);
      return mark(suggestion, suggestionStatus.dismissed)();
    },
    restore: (suggestion) => () => {
      restorable.remove(suggestion.actionKey);
      return mark(suggestion, suggestionStatus.open)();
    },
    reset: () => {
      restorable.clear();
      pendingRequests.clear();
      pending$.set(none);
    },
  };
};
