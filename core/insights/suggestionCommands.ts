import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { createTaskQueue, deferTask, mapResult, startTask, tapResult } from "../kernel/task.ts";
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

/** Succeeds also where the server does not have the suggestion any more. */
const orAbsent = TE.orElse(
  (failure: Failure): TE.TaskEither<Failure, unknown> =>
    isRefused(failure, 404) ? TE.right(undefined) : TE.left(failure),
);

export type SendSuggestionStatus = (body: {
  readonly actionKey: string;
  readonly category: string;
  readonly status: SuggestionStatus;
  readonly suggestion?: Suggestion;
}) => TE.TaskEither<Failure, unknown>;

/** The actions on suggestions: they show immediately and are undone when the request fails (IN3). */
export interface SuggestionCommands {
  /** Runs the action that a suggestion suggests, and marks it as applied once that is done. */
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
  /** The last mark of each suggestion: the answers to earlier ones are ignored. */
  const lastMarks = new Map<string, object>();
  const inOrder = createTaskQueue();

  /** Sends a status, and with it what was applied, because that is gone from a server once its cause is. */
  const send = (suggestion: Suggestion, status: SuggestionStatus): TE.TaskEither<Failure, unknown> => {
    const { actionKey, category } = suggestion;
    const body = { actionKey, category: category || everyCategory, status };
    return status === suggestionStatus.applied
      ? orAbsent(sendStatus({ ...body, suggestion }))
      : sendStatus(body);
  };
  const mark = (suggestion: Suggestion, status: SuggestionStatus): TE.TaskEither<Problem, void> =>
    deferTask(() => {
      const { actionKey } = suggestion;
      const category = suggestion.category || everyCategory;
      const user = owner();
      const before = marks.get(actionKey);
      const thisMark = {};
      const putMark = (): void => {
        const appliedSuggestion = status === suggestionStatus.applied ? { suggestion } : {};
        marks.put({ actionKey, category, status, timestamp: clock.now(), ...appliedSuggestion });
      };
      const undo = (failure: Failure): void => {
        restorable.remove(actionKey);
        if (before) marks.put(before);
        else marks.remove(actionKey);
        toast("error", problemOf(failureMessages)(failure).message);
      };
      const finish = (result: E.Either<Failure, unknown>): void => {
        if (owner() !== user || lastMarks.get(actionKey) !== thisMark) return;
        E.match(undo, putMark)(result);
        pending$.update((keys) => new Set([...keys].filter((key) => key !== actionKey)));
      };
      putMark();
      lastMarks.set(actionKey, thisMark);
      pending$.update((keys) => new Set([...keys, actionKey]));
      return pipe(
        inOrder(actionKey, send(suggestion, status)),
        tapResult(finish),
        mapResult(E.bimap(problemOf(failureMessages), () => undefined)),
      );
    });
  const applyBy: SuggestionCommands["applyBy"] = (suggestion, action) =>
    pipe(
      action,
      tapResult((result) => {
        if (E.isRight(result)) startTask(mark(suggestion, suggestionStatus.applied));
      }),
    );
  return {
    pending$,
    restorable$: restorable.keys$,
    applyBy,
    dismiss: (suggestion) =>
      deferTask(() => {
        restorable.add(suggestion.actionKey);
        return mark(suggestion, suggestionStatus.dismissed);
      }),
    restore: (suggestion) =>
      deferTask(() => {
        restorable.remove(suggestion.actionKey);
        return mark(suggestion, suggestionStatus.open);
      }),
    reset: () => {
      restorable.clear();
      lastMarks.clear();
      pending$.set(none);
    },
  };
};
