import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { decodeInput } from "../api/fieldErrors.ts";
import { type Mask, MaskEdit, NewMask } from "./mask.ts";
import { postMask, putMask } from "./maskEndpoints.ts";

/** Makes and changes masks for a program, which names what it wants and leaves the rest to the account. */
export interface ProgramMasks {
  readonly make: (mask: NewMask) => TE.TaskEither<Problem, Mask>;
  readonly change: (mask: Mask, edit: MaskEdit) => TE.TaskEither<Problem, Mask>;
}

interface ProgramMasksDeps {
  readonly call: Call;
  readonly masks: { readonly insert: (mask: Mask) => void; readonly upsert: (mask: Mask) => void };
}

export const createProgramMasks = ({ call, masks }: ProgramMasksDeps): ProgramMasks => ({
  make: (mask) =>
    pipe(
      decodeInput(NewMask, mask),
      TE.chain((body) => call(postMask)({ body })),
      TE.tapIO((made) => () => masks.insert(made)),
      TE.mapLeft(problemOf("createMask")),
    ),
  change: ({ id }, edit) =>
    pipe(
      decodeInput(MaskEdit, edit),
      TE.chain((body) => call(putMask)({ params: { id }, body })),
      TE.tapIO((changed) => () => masks.upsert(changed)),
      TE.mapLeft(problemOf("editMask")),
    ),
});
