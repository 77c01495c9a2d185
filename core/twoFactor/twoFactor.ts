import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { Subscription } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import { busy, type Failure } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import { makeTransient } from "../kernel/transient.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { WriteQrCode } from "../ports/qrCode.ts";
import type { Call } from "../requests/call.ts";
import type { Fallbacks } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { makeTwoFactorCalls } from "./twoFactorCalls.ts";
import { step, type TwoFactorEvent, type TwoFactorFlow } from "./twoFactorFlow.ts";
import { said } from "./twoFactorSentences.ts";

/** How long a copied text is called copied. */
const copiedForMs = 2_000;

/** Whether signing in takes a second factor, and what can be done about it (SG1, SG2). */
export interface TwoFactor {
  /** null while that is not known. */
  readonly isEnabled$: State<boolean | null>;
  /** How many recovery codes are still good; null while that is not known, or the server does not tell. */
  readonly recoveryCodesLeft$: State<number | null>;
  /** Asks the server how many recovery codes are left. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** What the user is in the middle of; null when it is nothing. */
  readonly flow$: State<TwoFactorFlow | null>;
  readonly open: (at: "intro" | "disable" | "renew") => void;
  /** From the intro to the scan, with a new secret. */
  readonly generate: () => TE.TaskEither<Problem, void>;
  /** From the scan to the intro; the secret is of no use any more. */
  readonly back: () => void;
  /** Turns it on with the authenticator's first code. */
  readonly verify: (code: string) => TE.TaskEither<Problem, void>;
  /** Turns it off with a code of the authenticator or a recovery code. */
  readonly disable: (code: string) => TE.TaskEither<Problem, void>;
  /** Replaces the recovery codes for a code of the authenticator. */
  readonly renew: (code: string) => TE.TaskEither<Problem, void>;
  /** The user says that the recovery codes are kept, or takes it back. */
  readonly setKept: (areKept: boolean) => void;
  /** Leaves the flow; recovery codes only once they are kept. */
  readonly close: () => void;
  /** The text that was copied a moment ago. */
  readonly copied$: State<string | null>;
  readonly copy: (text: string) => TE.TaskEither<Problem, void>;
}

export interface TwoFactorNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly qrCode: WriteQrCode;
  readonly toast: ShowToast;
  readonly account$: State<Account | null>;
  /** The account has changed on the server. */
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

export const makeTwoFactor = (needs: TwoFactorNeeds): TwoFactor & { readonly start: () => Subscription } => {
  const calls = makeTwoFactorCalls(needs.call, needs.qrCode);
  const isEnabled$ = makeState<boolean | null>(null);
  const recoveryCodesLeft$ = makeState<number | null>(null);
  const flow$ = makeState<TwoFactorFlow | null>(null);
  const copied = makeTransient<string>(needs.clock.scheduler, copiedForMs);
  let owner: string | null = null;
  let isRunning = false;

  const happened = (event: TwoFactorEvent): void => flow$.update((flow) => step(flow, event));
  /** One at a time; what comes back for somebody who has left meanwhile is nobody's. */
  const submit =
    <A>(fallbacks: Fallbacks, task: TE.TaskEither<Failure, A>, then: (value: A) => void) =>
    (): ReturnType<TE.TaskEither<Problem, void>> => {
      if (isRunning) return TE.left(problemOf(fallbacks)(busy))();
      isRunning = true;
      const asking = owner;
      const follow = (value: A): void => {
        if (owner === asking) then(value);
      };
      return pipe(task, TE.map(follow), TE.mapLeft(problemOf(fallbacks)))().finally(() => {
        isRunning = false;
      });
    };
  const changed = (isEnabled: boolean, codesLeft: number | null): void => {
    isEnabled$.set(isEnabled);
    recoveryCodesLeft$.set(codesLeft);
    void needs.refreshAccount()();
  };
  const changeOwner = (email: string | null): void => {
    owner = email;
    isEnabled$.set(null);
    recoveryCodesLeft$.set(null);
    flow$.set(null);
  };

  return {
    isEnabled$,
    recoveryCodesLeft$,
    flow$,
    copied$: copied.state$,
    refresh: () => () => {
      const asking = owner;
      const known = (left: number | null): void => {
        if (owner === asking) recoveryCodesLeft$.set(left);
      };
      return pipe(calls.recoveryCodesLeft, TE.map(known), TE.mapLeft(problemOf(said.status)))();
    },
    open: (at) => happened({ kind: "opened", at }),
    generate: () => submit(said.setUp, calls.setUp, (secret) => happened({ kind: "secret-made", ...secret })),
    back: () => happened({ kind: "back" }),
    verify: (code) =>
      submit(said.verify, calls.verify(code), (recoveryCodes) => {
        changed(true, recoveryCodes.length);
        happened({ kind: "codes-given", recoveryCodes });
      }),
    disable: (code) =>
      submit(said.disable, calls.disable(code), () => {
        changed(false, 0);
        happened({ kind: "disabled" });
        needs.toast("success", "Two-factor authentication is off");
      }),
    renew: (code) =>
      submit(said.renew, calls.renew(code), (recoveryCodes) => {
        recoveryCodesLeft$.set(recoveryCodes.length);
        happened({ kind: "codes-given", recoveryCodes });
      }),
    setKept: (areKept) => happened({ kind: "kept", areKept }),
    close: () => happened({ kind: "closed" }),
    copy: (text) =>
      pipe(
        needs.page.copy(text),
        TE.tapIO(() => () => copied.set(text)),
        TE.mapLeft(problemOf(said.copy)),
        TE.orElseFirstIOK((problem) => () => needs.toast("error", problem.sentence)),
      ),
    start: () => {
      const running = new Subscription();
      running.add(
        needs.account$.subscribe((account) => {
          const email = account?.email ?? null;
          if (email !== owner) changeOwner(email);
          if (account !== null) isEnabled$.set(account.twoFactor.enabled);
        }),
      );
      return running;
    },
  };
};
