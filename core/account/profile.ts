import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { filter, map, type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { decodeInput } from "../api/fieldErrors.ts";
import { busy, type Failure } from "../kernel/failure.ts";
import { createExclusive } from "../kernel/singleFlight.ts";
import { createState, type State } from "../kernel/state.ts";
import { mapResult, tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import {
  countdown,
  resendAfterMs,
  SecondFactor,
  SignInCode,
  secondsAfterTick,
  secondsUntil,
} from "../session/oneTimeCode.ts";
import type { Account, User } from "../session/user.ts";
import { type AddressChangeDeps, createAddressChange } from "./addressChange.ts";
import { NewAddress, updateProfile } from "./profileEndpoints.ts";

type AddressStep =
  | { readonly step: "address" }
  | { readonly step: "code"; readonly email: string; readonly resendInSeconds: number }
  | { readonly step: "done"; readonly email: string };

/** The proof of the new mailbox; `twoFactorCode` is needed for an account with a second factor. */
export interface AddressProof {
  readonly code: string;
  readonly twoFactorCode: string;
  /** True if masks that forward to the old address are switched to the new one. */
  readonly moveMasks: boolean;
}

/** The user's profile: the change of the account's address. */
export interface Profile {
  readonly step$: State<AddressStep>;
  readonly request: (email: string) => TE.TaskEither<Problem, void>;
  /** Sends another code; fails with `busy` until the countdown has reached 0. */
  readonly resend: () => TE.TaskEither<Problem, void>;
  readonly confirm: (proof: AddressProof) => TE.TaskEither<Problem, void>;
  readonly startOver: () => void;
}

export interface ProfileDeps extends AddressChangeDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly account: { readonly account$: State<Account | null> };
  readonly user$: Observable<User | null>;
}

const updateProblem = problemOf({ page: "Failed to update profile" });
const resendProblem = problemOf({ page: "Failed to resend verification code" });
const firstStep: AddressStep = { step: "address" };

const AddressInput = t.type({ email: NewAddress });
const Proof = t.type({ code: SignInCode });
const BothProofs = t.type({ code: SignInCode, twoFactorCode: SecondFactor });

const decodeProof = (
  typed: Omit<AddressProof, "moveMasks">,
  hasTwoFactor: boolean,
): TE.TaskEither<Failure, { readonly code: string; readonly twoFactorCode?: string }> =>
  hasTwoFactor ? decodeInput(BothProofs, typed) : decodeInput(Proof, { code: typed.code });

/** Creates the change of the address at its first step. */
export const createProfile = (deps: ProfileDeps): Profile & { readonly start: () => Subscription } => {
  const { call, clock, toast, account } = deps;
  const addressChange = createAddressChange(deps);
  const step$ = createState<AddressStep>(firstStep);
  let resendAt = 0;
  const exclusive = createExclusive();

  const submit = (
    problem: typeof updateProblem,
    task: TE.TaskEither<Failure, void>,
  ): TE.TaskEither<Problem, void> => pipe(exclusive.run(task, busy), mapResult(E.mapLeft(problem)));
  const finish = (email: string): Task<void> =>
    pipe(
      addressChange.adopt(email),
      tapResult(() => {
        step$.set({ step: "done", email });
        toast("success", `The address of your account is now ${email}`);
      }),
    );
  const enterCode = (email: string): Task<void> =>
    T.fromIO(() => {
      resendAt = clock.now() + resendAfterMs;
      step$.set({ step: "code", email, resendInSeconds: secondsUntil(resendAt, clock.now()) });
    });
  /** Requests the change; a server that needs no code has already applied it. */
  const requestChange = (email: string): TE.TaskEither<Failure, void> =>
    pipe(
      call(updateProfile)({ body: { email } }),
      TE.chainTaskK(({ pendingEmail, email: address = email }) =>
        pendingEmail === undefined ? finish(address) : enterCode(pendingEmail),
      ),
    );
  return {
    step$,
    request: (email) =>
      submit(
        updateProblem,
        pipe(
          decodeInput(AddressInput, { email }),
          TE.chain((typed) => requestChange(typed.email)),
        ),
      ),
    resend: () => {
      const { value } = step$;
      const isReady = value.step === "code" && value.resendInSeconds === 0;
      return isReady ? submit(resendProblem, requestChange(value.email)) : TE.left(resendProblem(busy));
    },
    confirm: ({ moveMasks, ...typed }) => {
      const { value } = step$;
      if (value.step !== "code") return TE.left(updateProblem(busy));
      const { email } = value;
      const hasTwoFactor = account.account$.value?.twoFactor.enabled === true;
      return submit(
        updateProblem,
        pipe(
          decodeProof(typed, hasTwoFactor),
          TE.chain((proof) => call(updateProfile)({ body: { email, ...proof, moveMasks } })),
          TE.chainTaskK(({ email: address = email }) => finish(address)),
        ),
      );
    },
    startOver: () => step$.set(firstStep),
    start: () => {
      const resendAt$ = step$.pipe(
        map((at) => (at.step === "code" && at.resendInSeconds > 0 ? resendAt : null)),
      );
      const running = new Subscription();
      running.add(
        countdown(resendAt$, clock.scheduler).subscribe(() =>
          step$.update((at) =>
            at.step === "code"
              ? { ...at, resendInSeconds: secondsAfterTick(at.resendInSeconds, resendAt, clock.now()) }
              : at,
          ),
        ),
      );
      running.add(deps.user$.pipe(filter((user) => user === null)).subscribe(() => step$.set(firstStep)));
      return running;
    },
  };
};
