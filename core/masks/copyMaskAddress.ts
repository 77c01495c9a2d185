import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { unavailable } from "../kernel/failure.ts";
import { mapResult } from "../kernel/task.ts";
import { createTransient, type Transient } from "../kernel/timedState.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { Mask, MaskId } from "./mask.ts";

/** The time for which a card shows that its address was copied (MA4). */
const copiedForMs = 2_000;

interface CopyDeps {
  readonly find: (id: MaskId) => Mask | undefined;
  readonly clock: Clock;
  readonly copy: Page["copy"];
  readonly toast: ShowToast;
}

export interface CopyMaskAddress {
  readonly copied: Transient<MaskId>;
  /** Copies the address and shows a toast with the result. */
  readonly withToast: (id: MaskId) => TE.TaskEither<Problem, void>;
  /** Copies the address without a toast, because the action that calls this shows its own; false when it cannot be copied. */
  readonly silently: (mask: Mask) => Task<boolean>;
}

export const createCopyMaskAddress = ({ find, clock, copy, toast }: CopyDeps): CopyMaskAddress => {
  const copied = createTransient<MaskId>(clock.scheduler, copiedForMs);
  const copyOf = ({ id, maskEmail }: Mask) =>
    pipe(
      copy(maskEmail),
      TE.tapIO(() => () => copied.set(id)),
    );
  return {
    copied,
    withToast: (id) =>
      pipe(
        TE.fromNullable(unavailable("mask"))(find(id)),
        TE.chain(copyOf),
        TE.mapLeft(problemOf("copyAddress")),
        TE.tapIO(() => () => toast("success", "Email mask copied to clipboard")),
        TE.orElseFirstIOK((problem) => () => toast("error", problem.message)),
      ),
    silently: (mask) => pipe(copyOf(mask), mapResult(E.isRight)),
  };
};
