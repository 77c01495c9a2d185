import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import { SenderShown } from "../mail/forwardedFrom.ts";
import type { Account } from "../session/user.ts";
import { updateProfile } from "./profileEndpoints.ts";

/** How the senders of forwarded mail are shown. */
export interface SenderDisplay {
  /** null until the account is loaded. */
  readonly shown$: State<SenderShown | null>;
  /** Changes it for mail that arrives from now on. */
  readonly choose: (shown: SenderShown) => TE.TaskEither<Problem, void>;
}

export interface SenderDisplayDeps {
  readonly call: Call;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to change how senders are shown" });

/** A way that only newer versions know is read as the usual one. */
const shownOf = ({ settings }: Account): SenderShown => {
  const shown = settings?.senderShown;
  return SenderShown.is(shown) ? shown : "full";
};

export const createSenderDisplay = (deps: SenderDisplayDeps): SenderDisplay => {
  const { call, account$, refreshAccount } = deps;
  return {
    shown$: mapState(account$, (account) => account && shownOf(account)),
    choose: (senderShown) =>
      pipe(
        call(updateProfile)({ body: { senderShown } }),
        TE.mapLeft(toProblem),
        TE.chain(() => refreshAccount()),
      ),
  };
};
