import type { Observable, Subscription } from "rxjs";
import type { AccountDoor } from "./account/account.ts";
import type { User } from "./account/user.ts";
import { type FetchPart, type Late, type LateState, makeLate } from "./kernel/late.ts";
import { makeState, type State } from "./kernel/state.ts";
import type { Ports } from "./ports/ports.ts";
import type { Call } from "./requests/call.ts";
import type { OpenSessions } from "./session/openSessions.ts";
import type { ShowToast } from "./toasts/toasts.ts";
import type { TwoFactor } from "./twoFactor/twoFactor.ts";

/** A feature that is wanted only after sign-in, and whose code is fetched when it is first wanted. */
export interface LatePart<A> {
  readonly state$: State<LateState<A>>;
  /** From now on it is wanted: fetched, and tried again while it cannot be had. */
  readonly want: () => void;
  /** Tries at once to fetch what could not be had. */
  readonly retry: () => void;
}

/** What all of them stand on. */
export interface LateNeeds extends Pick<Ports, "clock" | "page" | "qrCode"> {
  readonly fetchPart: FetchPart;
  readonly call: Call;
  readonly toast: ShowToast;
  readonly account: AccountDoor;
  /** Announces another user, or nobody. */
  readonly user$: Observable<User | null>;
}

export interface LateParts {
  readonly twoFactor: LatePart<TwoFactor>;
  readonly openSessions: LatePart<OpenSessions>;
}

type Running = { readonly start: () => Subscription };

/** Makes the late features; each entry is an import and what is made of it. */
export const makeLateParts = (needs: LateNeeds): LateParts & { readonly started: readonly Running[] } => {
  const started: Running[] = [];
  const part = <M, A extends Running>(load: () => Promise<M>, make: (module: M) => A): LatePart<A> => {
    const isWanted$ = makeState(false);
    const late: Late<A> = makeLate({
      wanted$: isWanted$,
      fetch: needs.fetchPart(load),
      make,
      scheduler: needs.clock.scheduler,
    });
    started.push(late);
    return { state$: late.state$, want: () => isWanted$.set(true), retry: late.retry };
  };
  const { account } = needs;
  return {
    twoFactor: part(
      () => import("./twoFactor/twoFactor.ts"),
      ({ makeTwoFactor }) =>
        makeTwoFactor({ ...needs, account$: account.account$, refreshAccount: account.refresh }),
    ),
    openSessions: part(
      () => import("./session/openSessions.ts"),
      ({ makeOpenSessions }) => makeOpenSessions(needs),
    ),
    started,
  };
};
