import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { unavailable } from "../kernel/failure.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { HeldMasks } from "./heldMasks.ts";
import { isActive, type Mask, type MaskId } from "./mask.ts";
import type { ChangeNeeds, MakeChange } from "./maskChange.ts";
import type { MaskGateway } from "./maskGateway.ts";

interface Needs {
  readonly gateway: MaskGateway;
  readonly held: HeldMasks;
  readonly change: MakeChange;
  readonly toast: ChangeNeeds["toast"];
}

/** Switches a mask on or off: shown at once, taken back when the server says no. */
export const makeToggleMask = ({ gateway, held, change, toast }: Needs) => {
  const show = (id: MaskId, active: boolean): void => {
    const mask = held.find(id);
    if (mask && isActive(mask) !== active) held.put({ ...mask, active });
  };
  /** Nobody knows what to switch: the mask is not held (D17). */
  const unknown = (): Problem => {
    const problem = problemOf("setMaskStatus")(unavailable("mask"));
    toast("error", problem.sentence);
    return problem;
  };
  return (id: MaskId, active: boolean): TE.TaskEither<Problem, void> =>
    () => {
      const before = held.find(id);
      if (before === undefined) return TE.leftIO(unknown)();
      return pipe(
        change<Mask>({
          operation: active ? "activateMask" : "deactivateMask",
          id,
          send: gateway.edit(id, { active }),
          expect: () => show(id, active),
          revert: () => show(id, isActive(before)),
          settle: held.put,
          said: active ? "Mask activated successfully" : "Mask deactivated successfully",
        }),
        TE.map(() => undefined),
      )();
    };
};
