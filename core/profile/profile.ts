import { left } from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { filter, map, type Observable, Subscription } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import type { User } from "../account/user.ts";
import { decoded } from "../contract/decoded.ts";
import { busy, type Failure } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { makeNewAddress, type NewAddressNeeds } from "../session/newAddress.ts";
import { SecondFactor, SignInCode } from "../session/oneTimeCode.ts";
import { countdown, resendAfterMs } from "../session/resend.ts";
import { type AddressStep, codeStep } from "./addressSteps.ts";
import { NewAddress, updateProfile } from "./profileEndpoints.ts";

/** What somebody enters to prove the new mailbox; `twoFactorCode` counts for an account with two factors. */
export interface AddressProof {
  readonly code: string;
  readonly twoFactorCode: string;
  /** Whether masks that forward to the old address forward to the new one. */
  readonly moveMasks: boolean;
}

/** The user's profile: the address of the account (AC4). */
export interface Profile {
  readonly step$: State<AddressStep>;
  /** Has a code mailed to a new address. */
  readonly request: (email: string) => TE.TaskEither<Problem, void>;
  /** The same once more; fails with `busy` until the countdown has reached 0. */
  readonly resend: () => TE.TaskEither<Problem, void>;
  /** Gives the account the new address. */
  readonly confirm: (proof: AddressProof) => TE.TaskEither<Problem, void>;
  /** Back to the address. */
  readonly startOver: () => void;
}

export interface ProfileNeeds extends NewAddressNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly account: { readonly account$: State<Account | null> };
  /** Announces another user, or nobody. */
  readonly user$: Observable<User | null>;
}

const updating = problemOf({ here: "Failed to update profile" });
const resending = problemOf({ here: "Failed to resend verification code" });
const first: AddressStep = { step: "address" };

const Typed = t.type({ email: NewAddress });
const Proof = t.type({ code: SignInCode });
const BothProofs = t.type({ code: SignInCode, twoFactorCode: SecondFactor });

const proven = (
  typed: Omit<AddressProof, "moveMasks">,
  hasTwoFactor: boolean,
): TE.TaskEither<Failure, { readonly code: string; readonly twoFactorCode?: string }> =>
  hasTwoFactor ? decoded(BothProofs, typed) : decoded(Proof, { code: typed.code });

export const makeProfile = (needs: ProfileNeeds): Profile & { readonly start: () => Subscription } => {
  const { call, clock, toast, account } = needs;
  const newAddress = makeNewAddress(needs);
  const step$ = makeState<AddressStep>(first);
  let resendAt = 0;
  let isRunning = false;

  const submit =
    (problem: typeof updating, task: TE.TaskEither<Failure, void>): TE.TaskEither<Problem, void> =>
    () => {
      if (isRunning) return Promise.resolve(left(problem(busy)));
      isRunning = true;
      return pipe(task, TE.mapLeft(problem))().finally(() => {
        isRunning = false;
      });
    };
  const changed =
    (email: string): Task<void> =>
    () =>
      newAddress
        .adopt(email)()
        .then(() => {
          step$.set({ step: "done", email });
          toast("success", `The address of your account is now ${email}`);
        });
  const codeSent =
    (email: string): Task<void> =>
    () => {
      resendAt = clock.now() + resendAfterMs;
      step$.set(codeStep(email, resendAt, clock.now()));
      return Promise.resolve();
    };
  /** A server that asks for no code has changed it already. */
  const asked = (email: string): TE.TaskEither<Failure, void> =>
    pipe(
      call(updateProfile)({ body: { email } }),
      TE.chainTaskK(({ pendingEmail, email: given = email }) =>
        pendingEmail === undefined ? changed(given) : codeSent(pendingEmail),
      ),
    );
  return {
    step$,
    request: (email) =>
      submit(
        updating,
        pipe(
          decoded(Typed, { email }),
          TE.chain((typed) => asked(typed.email)),
        ),
      ),
    resend: () => {
      const { value } = step$;
      const isReady = value.step === "code" && value.resendInSeconds === 0;
      return isReady ? submit(resending, asked(value.email)) : TE.left(resending(busy));
    },
    confirm: ({ moveMasks, ...typed }) => {
      const { value } = step$;
      if (value.step !== "code") return TE.left(updating(busy));
      const { email } = value;
      const hasTwoFactor = account.account$.value?.twoFactor.enabled === true;
      return submit(
        updating,
        pipe(
          proven(typed, hasTwoFactor),
          TE.chain((proof) => call(updateProfile)({ body: { email, ...proof, moveMasks } })),
          TE.chainTaskK(({ email: given = email }) => changed(given)),
        ),
      );
    },
    startOver: () => step$.set(first),
    start: () => {
      const resendAt$ = step$.pipe(
        map((at) => (at.step === "code" && at.resendInSeconds > 0 ? resendAt : null)),
      );
      const running = new Subscription();
      running.add(
        countdown(resendAt$, clock.scheduler).subscribe(() =>
          step$.update((at) => (at.step === "code" ? codeStep(at.email, resendAt, clock.now()) : at)),
        ),
      );
      running.add(needs.user$.pipe(filter((user) => user === null)).subscribe(() => step$.set(first)));
      return running;
    },
  };
};
