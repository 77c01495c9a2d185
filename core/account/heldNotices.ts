import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import type { Account } from "../session/user.ts";
import { updateProfile } from "./profileEndpoints.ts";

/** Whether the user gets a mail about newly held mail, once a day at most. */
export interface HeldNotices {
  /** null until the account is loaded, and where the server sends no notices. */
  readonly isOn$: State<boolean | null>;
  /** Turns the notices on or off. */
  readonly turn: (isOn: boolean) => TE.TaskEither<Problem, void>;
}

export interface HeldNoticesDeps {
  readonly call: Call;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to change the notices of held mail" });

export const createHeldNoticeSetting = ({
  call,
  account$,
  refreshAccount,
}: HeldNoticesDeps): HeldNotices => ({
  isOn$: mapState(account$, (account) => account?.settings?.heldNotices ?? null),
  turn: (isOn) =>
    pipe(
      call(updateProfile)({ body: { heldNotices: isOn } }),
      TE.mapLeft(toProblem),
      TE.chain(() => refreshAccount()),
    ),
});
