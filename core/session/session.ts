import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, EMPTY, map, mergeMap, type Observable, type Subscription, tap } from "rxjs";
import type { User } from "../account/user.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { makeKeeping } from "./keeping.ts";
import type { Refresh } from "./refresh.ts";
import type { SessionCalls } from "./sessionCalls.ts";
import type { SignedIn } from "./sessionEndpoints.ts";
import type { SessionItems } from "./sessionItems.ts";
import { careFor } from "./upkeep.ts";

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
  /** Has the token replaced, once for all tabs; the third attempt in a row ends the session (SE5). */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Asks whether the server knows the token; one that it does not know is replaced (SE8). */
  readonly validate: () => TE.TaskEither<Problem, void>;
}

/** What only `app.ts` may do with a session. */
export interface SessionControl extends Session {
  /** Begins a session; false when the browser would not keep it. */
  readonly begin: (signedIn: SignedIn) => boolean;
  /** The same session under another address of its user's. */
  readonly goOnAs: (user: User) => void;
  /** Ends a session that cannot be kept, and says so (RQ6). */
  readonly expire: () => void;
  readonly start: () => Subscription;
}

interface Needs {
  readonly items: SessionItems;
  readonly calls: SessionCalls;
  readonly refresh: Refresh;
  readonly clock: Clock;
  readonly page: Pick<Page, "path$" | "navigate">;
  readonly online$: State<boolean>;
  readonly visible$: State<boolean>;
  readonly telemetry: Telemetry;
  /** Removes what a logout removes beside the session itself. */
  readonly forgetKeys: () => void;
  /** Says why somebody is signed out who has not logged out. */
  readonly farewell: () => void;
}

const starting: SessionState = { kind: "starting" };
const signedOut: SessionState = { kind: "signed-out" };

/** Where people sign in: the only route there is (SI14). */
const loginPath = "/login";

const isLoginPath = (path: string): boolean => path === loginPath || path.startsWith(`${loginPath}/`);

export const makeSession = (needs: Needs): SessionControl => {
  const { items, calls, page, telemetry } = needs;
  const state$ = makeState<SessionState>(starting);
  const isSignedIn$ = state$.pipe(map(({ kind }) => kind === "signed-in"));

  const enter = (user: User): void => {
    const { value } = state$;
    if (value.kind === "signed-in" && value.user.email !== user.email) needs.refresh.reset();
    state$.set({ kind: "signed-in", user });
    if (isLoginPath(page.path$.value)) page.navigate("/");
  };
  const leave = (reason: "log-out" | "expiry" = "expiry"): void => {
    needs.refresh.reset();
    items.forget(reason);
    state$.set(signedOut);
    if (!isLoginPath(page.path$.value)) page.navigate(loginPath);
  };
  const end = (reason: "log-out" | "expiry"): void => {
    telemetry.event("session.end", { reason });
    leave(reason);
  };
  const expire = (): void => {
    needs.farewell();
    void calls.clear();
    end("expiry");
  };
  const keeping = makeKeeping({ ...needs, expire });
  const goOnAs = (user: User): void => {
    items.keepInTab(user);
    enter(user);
  };
  /** Does as another tab did. What that tab is only about to store is left alone. */
  const follow = (): void => {
    const user = items.user();
    if (user !== null) goOnAs(user);
    else if (items.token() === null) leave();
  };
  /** A visitor without any session stays where they are (SI15); one whose session has ended goes to sign in. */
  const nobody = (): void => {
    if (items.token() !== null) leave();
    else {
      items.forget("expiry");
      state$.set(signedOut);
    }
  };
  /** Goes on with a session that is past its expiry if the server will (SE3). */
  const revive = (): Observable<unknown> =>
    defer(needs.refresh.run).pipe(
      tap((outcome) => {
        if (items.owner() !== null) (E.isRight(outcome) ? follow : expire)();
      }),
    );
  const resume = (): Observable<unknown> => {
    const user = items.user();
    if (user === null) nobody();
    else if (items.expiresAt() < needs.clock.now()) return revive();
    else enter(user);
    return EMPTY;
  };
  return {
    state$,
    logOut: () => () => {
      const told = calls.logOut();
      needs.forgetKeys();
      end("log-out");
      return told.then(() => undefined);
    },
    refresh: () => pipe(keeping.refresh, TE.mapLeft(problemOf("refreshSession"))),
    validate: () => pipe(keeping.validate, TE.mapLeft(problemOf("validateSession"))),
    begin: (signedIn) => {
      const kept = items.keep(signedIn);
      if (!kept) return false;
      needs.refresh.reset();
      void calls.setCookie(signedIn.token)();
      enter(signedIn.user);
      return true;
    },
    goOnAs,
    expire,
    start: () => {
      const running = needs.refresh.start();
      running.add(resume().subscribe());
      running.add(items.changedElsewhere$.subscribe(follow));
      running.add(
        careFor({ ...needs, isSignedIn$ })
          .pipe(mergeMap((care) => keeping[care]()))
          .subscribe(),
      );
      return running;
    },
  };
};
