import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../sentences/problem.ts";
import type { HeldMasks } from "./heldMasks.ts";
import type { Mask } from "./mask.ts";
import type { MakeChange, Said } from "./maskChange.ts";
import type { MaskGateway } from "./maskGateway.ts";

const said = ({ forwardTo, destinationStatus, confirmationSent }: Mask): Said => {
  if (destinationStatus !== "awaiting-confirmation")
    return { kind: "success", text: `${forwardTo} is confirmed already` };
  return confirmationSent === false
    ? { kind: "info", text: "The last confirmation mail is too recent. Please try again later." }
    : { kind: "success", text: `Confirmation mail sent to ${forwardTo}` };
};

interface Needs {
  readonly gateway: MaskGateway;
  readonly held: HeldMasks;
  readonly change: MakeChange;
}

/** Asks once more for the forward-to of a mask to be confirmed: naming it again is what asks (D33). */
export const makeAskAgain =
  ({ gateway, held, change }: Needs) =>
  ({ id, forwardTo }: Pick<Mask, "id" | "forwardTo">): TE.TaskEither<Problem, Mask> =>
    change({ operation: "askAgain", id, send: gateway.edit(id, { forwardTo }), settle: held.put, said });
