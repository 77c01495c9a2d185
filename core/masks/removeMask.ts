import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../sentences/problem.ts";
import type { HeldMasks } from "./heldMasks.ts";
import type { MaskId } from "./mask.ts";
import type { MakeChange } from "./maskChange.ts";
import type { MaskGateway } from "./maskGateway.ts";

interface Needs {
  readonly gateway: MaskGateway;
  readonly held: HeldMasks;
  readonly change: MakeChange;
}

/** Deletes a mask for good; whoever calls has asked for confirmation. */
export const makeRemoveMask =
  ({ gateway, held, change }: Needs) =>
  (id: MaskId): TE.TaskEither<Problem, void> =>
    change({
      operation: "removeMask",
      id,
      send: gateway.remove(id),
      settle: () => held.drop(id),
      said: "Mask deleted successfully",
    });
