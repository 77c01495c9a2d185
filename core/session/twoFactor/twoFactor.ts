import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { Call } from "../../api/call.ts";
import { type FallbackMessages, type Problem, problemOf } from "../../api/errorMessages.ts";
import { busy, type Failure } from "../../kernel/failure.ts";
import { createOwner } from "../../kernel/owner.ts";
import { createExclusive } from "../../kernel/singleFlight.ts";
import { createState, type State } from "../../kernel/state.ts";
import { mapResult, startTask } from "../../kernel/task.ts";
import { createTransient } from "../../kernel/timedState.ts";
import type { ShowToast } from "../../kernel/toast.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Page } from "../../ports/page.ts";
import type { WriteQrCode } from "../../ports/qrCode.ts";
import type { Account } from "../user.ts";
import { createTwoFactorCalls } from "./twoFactorCalls.ts";
import { reduceTwoFactor, type TwoFactorEvent, type TwoFactorFlow } from "./twoFactorFlow.ts";

const twoFactorMessages = {
  status: { page: "Failed to get security status" },
  setUp: {
    page: "Failed to set up two-factor authentication",
    unreadable: "Missing required data from server",
  },
  verify: { page: "Failed to verify code" },
  disable: { page: "Failed to disable two-factor authentication" },
  renew: { page: "Failed to create new recovery codes" },
  copy: { page: "Failed to copy to clipboard" },
} as const satisfies Readonly<Record<string, FallbackMessages>>;

const copiedForMs = 2_000;

/** The two-factor authentication of the account: its status and the flows that change it. */
export interface TwoFactor {
  /** null while unknown. */
  readonly isEnabled$: State<boolean | null>;
  /** The number of unused recovery codes; null while unknown, or when the server does not provide it. */
  readonly recoveryCodesLeft$: State<number | null>;
  /** Requests the number of unused recovery codes. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** The step of the current flow; null when there is none. */
  readonly flow$: State<TwoFactorFlow | null>;
  readonly open: (at: "intro" | "disable" | "renew") => void;
  /** Generates a secret and goes from the intro to the scan. */
  readonly generate: () => TE.TaskEither<Problem, void>;
  /** Goes from the scan back to the intro and discards the secret. */
  readonly back: () => void;
  /** Turns two-factor authentication on with the authenticator's first code. */
  readonly verify: (code: string) => TE.TaskEither<Problem, void>;
  /** Turns two-factor authentication off with a code of the authenticator or a recovery code. */
  readonly disable: (code: string) => TE.TaskEither<Problem, void>;
  /** Replaces the recovery codes; requires a code of the authenticator. */
  readonly renew: (code: string) => TE.TaskEither<Problem, void>;
  /** Sets whether the user has confirmed that the recovery codes are saved. */
  readonly setKept: (areKept: boolean) => void;
  /** Leaves the flow; does nothing while recovery codes are not confirmed as saved. */
  readonly close: () => void;
  /** The text that was just copied. */
  readonly copied$: State<string | null>;
  readonly copy: (text: string) => TE.TaskEither<Problem, void>;
}

export interface TwoFactorDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly qrCode: WriteQrCode;
  readonly toast: ShowToast;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
  /** Emits the changes on the server; "resumed" means that some may have been missed. */
  readonly updates$: Observable<{ readonly resource: string; readonly action: string }>;
}

/** Creates the two-factor feature; the status follows the account after `start()`. */
export const createTwoFactor = (deps: TwoFactorDeps): TwoFactor & { readonly start: () => Subscription } => {
  const calls = createTwoFactorCalls(deps.call, deps.qrCode);
  const isEnabled$ = createState<boolean | null>(null);
  const recoveryCodesLeft$ = createState<number | null>(null);
  const flow$ = createState<TwoFactorFlow | null>(null);
  const copied = createTransient<string>(deps.clock.scheduler, copiedForMs);
  const owner = createOwner();
  const exclusive = createExclusive();

  const dispatch = (event: TwoFactorEvent): void => flow$.update((flow) => reduceTwoFactor(flow, event));
  /** Runs one request at a time; ignores the response when the user has changed in the meantime. */
  const submit = <A>(
    fallbacks: FallbackMessages,
    task: TE.TaskEither<Failure, A>,
    onSuccess: (value: A) => void,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      exclusive.run(pipe(task, owner.tap(E.match(() => {}, onSuccess))), busy),
      mapResult(E.bimap(problemOf(fallbacks), () => undefined)),
    );
  const applyChange = (isEnabled: boolean, codesLeft: number | null): void => {
    isEnabled$.set(isEnabled);
    recoveryCodesLeft$.set(codesLeft);
    startTask(deps.refreshAccount());
  };
  const changeOwner = (email: string | null): void => {
    owner.set(email);
    isEnabled$.set(null);
    recoveryCodesLeft$.set(null);
    flow$.set(null);
  };

  const refresh = (): TE.TaskEither<Problem, void> =>
    pipe(
      calls.recoveryCodesLeft,
      owner.tap(E.match(() => {}, recoveryCodesLeft$.set)),
      mapResult(E.bimap(problemOf(twoFactorMessages.status), () => undefined)),
    );
  /** A recovery code that was used elsewhere counts down on a card that shows the number. */
  const mayShowOldNumber = ({ resource, action }: { resource: string; action: string }): boolean =>
    recoveryCodesLeft$.value !== null && (resource === "account" || action === "resumed");

  return {
    isEnabled$,
    recoveryCodesLeft$,
    flow$,
    copied$: copied.state$,
    refresh,
    open: (at) => dispatch({ kind: "opened", at }),
    generate: () =>
      submit(twoFactorMessages.setUp, calls.setUp, (secret) => dispatch({ kind: "secret-made", ...secret })),
    back: () => dispatch({ kind: "back" }),
    verify: (code) =>
      submit(twoFactorMessages.verify, calls.verify(code), (recoveryCodes) => {
        applyChange(true, recoveryCodes.length);
        dispatch({ kind: "codes-given", recoveryCodes });
      }),
    disable: (code) =>
      submit(twoFactorMessages.disable, calls.disable(code), () => {
        applyChange(false, 0);
        dispatch({ kind: "disabled" });
        deps.toast("success", "Two-factor authentication is off");
      }),
    renew: (code) =>
      submit(twoFactorMessages.renew, calls.renew(code), (recoveryCodes) => {
        recoveryCodesLeft$.set(recoveryCodes.length);
        dispatch({ kind: "codes-given", recoveryCodes });
      }),
    setKept: (areKept) => dispatch({ kind: "kept", areKept }),
    close: () => dispatch({ kind: "closed" }),
    copy: (text) =>
      pipe(
        deps.page.copy(text),
        TE.tapIO(() => () => copied.set(text)),
        TE.mapLeft(problemOf(twoFactorMessages.copy)),
        TE.orElseFirstIOK((problem) => () => deps.toast("error", problem.message)),
      ),
    start: () => {
      const running = new Subscription();
      running.add(
        deps.account$.subscribe((account) => {
          const email = account?.email ?? null;
          if (email !== owner.current()) changeOwner(email);
          if (account !== null) isEnabled$.set(account.twoFactor.enabled);
        }),
      );
      running.add(deps.updates$.pipe(filter(mayShowOldNumber)).subscribe(() => startTask(refresh())));
      return running;
    },
  };
};
