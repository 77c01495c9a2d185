import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { busy } from "../kernel/failure.ts";
import type { Submission } from "../kernel/submission.ts";
import type { Problem } from "../sentences/problem.ts";
import type { Mask } from "./mask.ts";
import type { MakeChange } from "./maskChange.ts";
import { type MaskDraft, type MaskOrigin, newMaskOf } from "./maskDraft.ts";
import type { MaskGateway } from "./maskGateway.ts";

/** Said after a creation, by where the mask came from (MA8, D17). */
const created: Readonly<Record<MaskOrigin["kind"], string>> = {
  plain: "Mask created successfully",
  template: "Mask created with rule template successfully!",
  suggestion: "Mask created successfully from suggestion!",
};

interface Needs {
  readonly gateway: MaskGateway;
  readonly submission: Submission;
  readonly change: MakeChange;
  readonly mayChoosePrefix: () => boolean;
  /** The new mask is here. */
  readonly arrived: (mask: Mask) => void;
}

/** Creates a mask; nothing is sent while the draft is not in order. */
export const makeCreateMask =
  ({ gateway, submission, change, mayChoosePrefix, arrived }: Needs) =>
  (draft: MaskDraft, origin: MaskOrigin): TE.TaskEither<Problem, Mask> =>
    change({
      operation: "createMask",
      send: submission.run(
        pipe(TE.fromEither(newMaskOf(draft, origin, mayChoosePrefix())), TE.chain(gateway.create)),
        busy,
        JSON.stringify([draft, origin]),
      ),
      settle: arrived,
      said: created[origin.kind],
    });
