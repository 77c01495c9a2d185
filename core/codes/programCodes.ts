import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { MailCode } from "../mail/mailCode.ts";
import { deleteCode, listCodes } from "./codeEndpoints.ts";

/** The codes that a program may read, without a key to open those that are sealed. */
export interface ProgramCodes {
  /** Asks the server anew; newest first. */
  readonly list: () => TE.TaskEither<Problem, readonly MailCode[]>;
  /** Has the server forget a code that was used. */
  readonly use: (code: MailCode) => TE.TaskEither<Problem, void>;
}

interface ProgramCodesDeps {
  readonly call: Call;
  readonly forgetPendingGets: () => void;
}

export const createProgramCodes = ({ call, forgetPendingGets }: ProgramCodesDeps): ProgramCodes => ({
  list: () => {
    forgetPendingGets();
    return pipe(
      call(listCodes)(),
      TE.bimap(problemOf({ page: "Failed to load the codes" }), ({ codes }) => codes),
    );
  },
  use: ({ id: codeId, maskId: id }) =>
    pipe(
      call(deleteCode)({ params: { id, codeId } }),
      TE.mapLeft(problemOf({ page: "Failed to delete the code" })),
    ),
});
