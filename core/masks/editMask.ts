import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { busy } from "../kernel/failure.ts";
import type { Submission } from "../kernel/submission.ts";
import type { Problem } from "../sentences/problem.ts";
import type { HeldMasks } from "./heldMasks.ts";
import type { Mask, MaskId } from "./mask.ts";
import type { MakeChange } from "./maskChange.ts";
import { type MaskDraft, maskEditOf } from "./maskDraft.ts";
import type { MaskGateway } from "./maskGateway.ts";

interface Needs {
  readonly gateway: MaskGateway;
  readonly held: HeldMasks;
  readonly submission: Submission;
  readonly change: MakeChange;
  readonly mayChoosePrefix: () => boolean;
}

/** Makes a mask what the draft says; nothing is sent while the draft is not in order. */
export const makeEditMask =
  ({ gateway, held, submission, change, mayChoosePrefix }: Needs) =>
  (id: MaskId, draft: MaskDraft): TE.TaskEither<Problem, Mask> =>
    change({
      operation: "editMask",
      id,
      send: submission.run(
        pipe(
          TE.fromEither(maskEditOf(draft, held.find(id), mayChoosePrefix())),
          TE.chain((edit) => gateway.edit(id, edit)),
        ),
        busy,
        JSON.stringify([id, draft]),
      ),
      settle: held.put,
      said: "Mask updated successfully",
    });
