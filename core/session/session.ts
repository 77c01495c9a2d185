import type { Task } from "fp-ts/lib/Task.js";
import { type Observable, Subscription } from "rxjs";
import type { User } from "../account/user.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Page } from "../ports/page.ts";
import type { Call } from "../requests/call.ts";
import * as endpoints from "./sessionEndpoints.ts";
import type { SessionItems } from "./sessionItems.ts";

export type SessionState =
  | { readonly kind: "starting" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "signed-in"; readonly user: User };

/** Whether somebody is signed in here, and who. */
export interface Session {
  readonly state$: State<SessionState>;
  /**
   * Ends the session: this browser forgets it at once and shows the sign-in page, whether or not the server
   * can be told (SE7). Done when the server has answered or cannot be reached.
   */
  readonly logOut: () => Task<void>;
}

/** What only `app.ts` may do with a session. */
export interface SessionControl extends Session {
  /** Begins a session; false when the browser would not keep it. */
  readonly begin: (signedIn: endpoints.SignedIn) => boolean;
  readonly start: () => Subscription;
}

interface Dependencies {
  readonly items: SessionItems;
  readonly call: Call;
  readonly page: Pick<Page, "path$" | "navigate">;
  /** The server has refused the stored token. */
  readonly expired$: Observable<void>;
}

const starting: SessionState = { kind: "starting" };
const signedOut: SessionState = { kind: "signed-out" };

/** Where people sign in: the only route there is (SI14). */
const loginPath = "/login";

const isLoginPath = (path: string): boolean => path === loginPath || path.startsWith(`${loginPath}/`);

export const makeSession = ({ items, call, page, expired$ }: Dependencies): SessionControl => {
  const state$ = makeState<SessionState>(starting);
  const enter = (user: User): void => {
    state$.set({ kind: "signed-in", user });
    if (isLoginPath(page.path$.value)) page.navigate("/");
  };
  const leave = (): void => {
    items.forget();
    state$.set(signedOut);
    if (!isLoginPath(page.path$.value)) page.navigate(loginPath);
  };
  /** A visitor without any session stays where they are (SI15); one whose session has ended goes to sign in. */
  const resume = (): void => {
    const user = items.user();
    if (user !== null) enter(user);
    else if (items.token() !== null) leave();
    else {
      items.forget();
      state$.set(signedOut);
    }
  };
  /** Does as another tab did. What that tab is only about to store is left alone. */
  const follow = (): void => {
    const user = items.user();
    if (user !== null) {
      items.keepInTab(user);
      enter(user);
    } else if (items.token() === null) leave();
  };
  return {
    state$,
    logOut: () => () => {
      const told = call(endpoints.logOut)()();
      leave();
      return told.then(() => undefined);
    },
    begin: (signedIn) => {
      const kept = items.keep(signedIn);
      if (kept) enter(signedIn.user);
      return kept;
    },
    start: () => {
      resume();
      const running = new Subscription();
      running.add(expired$.subscribe(leave));
      running.add(items.changedElsewhere$.subscribe(follow));
      return running;
    },
  };
};
