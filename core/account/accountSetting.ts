import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { mapState, type State } from "../kernel/state.ts";
import type { Account } from "../session/user.ts";
import { type ProfileUpdate, updateProfile } from "./profileEndpoints.ts";

/** One setting of the account, which a change saves at once. */
export interface AccountSetting<A> {
  /** null until the account is loaded, and where the server does not have the setting. */
  readonly value$: State<A | null>;
  readonly choose: (value: A) => TE.TaskEither<Problem, void>;
}

export interface AccountSettingDeps {
  readonly call: Call;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

interface AccountSettingOptions<A> {
  readonly read: (account: Account) => A | null;
  readonly toUpdate: (value: A) => ProfileUpdate;
  /** The message that the user reads when it was not saved, and the server gives no reason. */
  readonly failed: string;
}

/** Returns the function that creates a setting: it is read with the account and saved with the profile. */
export const accountSetting =
  <A>({ read, toUpdate, failed }: AccountSettingOptions<A>) =>
  ({ call, account$, refreshAccount }: AccountSettingDeps): AccountSetting<A> => ({
    value$: mapState(account$, (account) => account && read(account)),
    choose: (value) =>
      pipe(
        call(updateProfile)({ body: toUpdate(value) }),
        TE.mapLeft(problemOf({ page: failed })),
        TE.chain(() => refreshAccount()),
      ),
  });
