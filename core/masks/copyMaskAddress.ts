import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { unavailable } from "../kernel/failure.ts";
import { makeTransient, type Transient } from "../kernel/transient.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { HeldMasks } from "./heldMasks.ts";
import type { Mask, MaskId } from "./mask.ts";
import type { ChangeNeeds } from "./maskChange.ts";

/** How long a card says that its address was copied (MA4). */
const copiedForMs = 2_000;

interface Needs {
  readonly held: HeldMasks;
  readonly clock: Clock;
  readonly copy: Page["copy"];
  readonly toast: ChangeNeeds["toast"];
}

export interface CopyMaskAddress {
  readonly copied: Transient<MaskId>;
  /** Copies, and says whether it worked. */
  readonly aloud: (id: MaskId) => TE.TaskEither<Problem, void>;
  /** Copies where the environment lets us, without a word: another toast speaks of this action (D17). */
  readonly quietly: (mask: Mask) => void;
}

export const makeCopyMaskAddress = ({ held, clock, copy, toast }: Needs): CopyMaskAddress => {
  const copied = makeTransient<MaskId>(clock.scheduler, copiedForMs);
  const copyOf = ({ id, maskEmail }: Mask) =>
    pipe(
      copy(maskEmail),
      TE.tapIO(() => () => copied.set(id)),
    );
  return {
    copied,
    aloud: (id) =>
      pipe(
        TE.fromNullable(unavailable("mask"))(held.find(id)),
        TE.chain(copyOf),
        TE.mapLeft(problemOf("copyAddress")),
        TE.tapIO(() => () => toast("success", "Email mask copied to clipboard")),
        TE.orElseFirstIOK((problem) => () => toast("error", problem.sentence)),
      ),
    quietly: (mask) => {
      void copyOf(mask)();
    },
  };
};
