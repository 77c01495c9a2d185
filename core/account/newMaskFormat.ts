import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import { type MaskFormat, readMaskFormat, usualFormat } from "../masks/maskFormat.ts";
import type { Account } from "../session/user.ts";
import { updateProfile } from "./profileEndpoints.ts";

/** What the addresses of the account's new masks are made of, unless another format is chosen for one mask. */
export interface NewMaskFormat {
  /** null until the account is loaded. */
  readonly format$: State<MaskFormat | null>;
  /** Changes it for masks that are created from now on. */
  readonly choose: (format: MaskFormat) => TE.TaskEither<Problem, void>;
}

export interface NewMaskFormatDeps {
  readonly call: Call;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to change the addresses of new masks" });

export const createNewMaskFormat = (deps: NewMaskFormatDeps): NewMaskFormat => {
  const { call, account$, refreshAccount } = deps;
  return {
    format$: mapState(
      account$,
      (account) => account && (readMaskFormat(account.settings?.maskFormat) ?? usualFormat),
    ),
    choose: (maskFormat) =>
      pipe(
        call(updateProfile)({ body: { maskFormat } }),
        TE.mapLeft(toProblem),
        TE.chain(() => refreshAccount()),
      ),
  };
};
