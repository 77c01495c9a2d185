import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { State } from "../kernel/state.ts";
import { createTransient } from "../kernel/timedState.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import { type Problem, problemOf } from "./errorMessages.ts";

/** Copies texts, and says for a moment what was copied. */
export interface Copying<A> {
  /** The subject that was copied a moment ago. */
  readonly copied$: State<A | null>;
  /** Copies a text that stands for `what`, with a toast. */
  readonly copy: (text: string, what: A, success: string) => TE.TaskEither<Problem, void>;
}

interface CopyingDeps {
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly toast: ShowToast;
}

const copiedForMs = 2_000;

export const createCopying = <A>({ clock, page, toast }: CopyingDeps): Copying<A> => {
  const copied = createTransient<A>(clock.scheduler, copiedForMs);
  return {
    copied$: copied.state$,
    copy: (text, what, success) =>
      pipe(
        page.copy(text),
        TE.bimap(problemOf("copyAddress"), () => {
          copied.set(what);
          toast("success", success);
        }),
        TE.orElseFirstIOK(
          ({ message }) =>
            () =>
              toast("error", message),
        ),
      ),
  };
};
