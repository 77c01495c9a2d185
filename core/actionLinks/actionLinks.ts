import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { updateProfile } from "../account/profileEndpoints.ts";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import { ActionLinkPlace } from "../mail/actionLinkPlace.ts";
import type { Account } from "../session/user.ts";

/** Where the forwarded mail of an account has links that act on its mask. */
export interface ActionLinks {
  /** null until the account is loaded. */
  readonly place$: State<ActionLinkPlace | null>;
  /** Changes it for mail that arrives from now on. */
  readonly choose: (place: ActionLinkPlace) => TE.TaskEither<Problem, void>;
}

export interface ActionLinksDeps {
  readonly call: Call;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to change the links in forwarded email" });

/** A place that only newer versions know is read as none. */
const placeOf = ({ settings }: Account): ActionLinkPlace => {
  const place = settings?.actionLinks;
  return ActionLinkPlace.is(place) ? place : "off";
};

export const createActionLinks = (deps: ActionLinksDeps): ActionLinks => {
  const { call, account$, refreshAccount } = deps;
  return {
    place$: mapState(account$, (account) => account && placeOf(account)),
    choose: (actionLinks) =>
      pipe(
        call(updateProfile)({ body: { actionLinks } }),
        TE.mapLeft(toProblem),
        TE.chain(() => refreshAccount()),
      ),
  };
};
