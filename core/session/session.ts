import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, EMPTY, map, mergeMap, type Observable, type Subscription, switchMap, tap } from "rxjs";
import { csrfCookie } from "../api/csrfNames.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { createState, type State } from "../kernel/state.ts";
import { deferTask, mapResult, onStarted, startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { Store } from "../storage/store.ts";
import { OwedLogouts } from "./owedLogout.ts";
import type { SessionCalls } from "./sessionCalls.ts";
import type { SignedIn } from "./sessionEndpoints.ts";
import { createSessionMaintenance, scheduleMaintenance } from "./sessionMaintenance.ts";
import type { SessionStore } from "./sessionStore.ts";
import type { TokenRefresh } from "./tokenRefresh.ts";
import type { User } from "./user.ts";

export type SessionState =
  | { readonly kind: "starting" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "signed-in"; readonly user: User };

/** The session of this browser: whether a user is signed in, and who. */
export interface Session {
  readonly state$: State<SessionState>;
  /**
   * Ends the session: deletes it from this browser immediately and shows the sign-in page, even when the server cannot
   * be reached, which is then told later. Completes when the server has answered or the request has failed.
   */
  readonly logOut: () => Task<void>;
  /** Refreshes the token for all tabs; after two failures in a row the next attempt ends the session. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Validates the token at the server and refreshes it after a 401. */
  readonly validate: () => TE.TaskEither<Problem, void>;
}

/** The operations on the session that only core itself uses. */
export interface SessionControl extends Session {
  /** Starts a session; returns false when the browser cannot store it. */
  readonly startSession: (signedIn: SignedIn) => boolean;
  /** Continues the session under the user's new address. */
  readonly continueAs: (user: User) => void;
  /** Ends an expired session and notifies the user. */
  readonly expire: () => void;
  readonly start: () => Subscription;
}

interface Deps {
  readonly sessionStore: SessionStore;
  readonly calls: SessionCalls;
  readonly refresh: TokenRefresh;
  readonly clock: Clock;
  readonly page: Pick<Page, "path$" | "navigate" | "expireCookie">;
  readonly store: Store;
  readonly online$: State<boolean>;
  readonly visible$: State<boolean>;
  readonly telemetry: Telemetry;
  /** Emits when the first screen is shown; the session is not validated before. */
  readonly later$: Observable<unknown>;
  /** Deletes the private keys at a logout. */
  readonly forgetPrivateKeys: () => void;
  readonly onExpired: () => void;
}

const starting: SessionState = { kind: "starting" };
const signedOut: SessionState = { kind: "signed-out" };

const loginPath = "/login";

const isLoginPath = (path: string): boolean => path === loginPath || path.startsWith(`${loginPath}/`);

/** The session that this browser has stored. */
type StoredSession =
  | { readonly kind: "valid"; readonly user: User }
  | { readonly kind: "expired" | "incomplete" | "none" };

const storedSession = (sessionStore: SessionStore, now: number): StoredSession => {
  const user = sessionStore.user();
  if (user === null) return { kind: sessionStore.token() === null ? "none" : "incomplete" };
  return sessionStore.expiresAt() < now ? { kind: "expired" } : { kind: "valid", user };
};

/** Creates the session; `start()` restores it from storage and keeps it valid. */
export const createSession = (deps: Deps): SessionControl => {
  const { sessionStore, calls, page, telemetry } = deps;
  const state$ = createState<SessionState>(starting);
  const isSignedIn$ = state$.pipe(map(({ kind }) => kind === "signed-in"));

  const enter = (user: User): void => {
    const { value } = state$;
    if (value.kind === "signed-in" && value.user.email !== user.email) deps.refresh.reset();
    state$.set({ kind: "signed-in", user });
    if (isLoginPath(page.path$.value)) page.navigate("/", { keepsPlace: true });
  };
  const leave = (reason: "log-out" | "expiry" = "expiry"): void => {
    deps.refresh.reset();
    sessionStore.clear(reason);
    page.expireCookie(csrfCookie);
    state$.set(signedOut);
    if (!isLoginPath(page.path$.value)) page.navigate(loginPath, { keepsPlace: reason === "expiry" });
  };
  const end = (reason: "log-out" | "expiry"): void => {
    telemetry.event("session.end", { reason });
    leave(reason);
  };
  const expire = (): void => {
    deps.onExpired();
    startTask(calls.clear);
    end("expiry");
  };
  const logouts = new OwedLogouts({ ...deps, state$ });
  const maintenance = createSessionMaintenance({ ...deps, expire });
  const continueAs = (user: User): void => {
    sessionStore.saveInTab(user);
    enter(user);
  };
  /** Follows a sign-in or sign-out in another tab; ignores a session that the tab has not stored completely. */
  const followOtherTab = (): void => {
    const user = sessionStore.user();
    if (user !== null) continueAs(user);
    else if (sessionStore.token() === null) leave();
  };
  /** Tries to refresh a session that is past its expiry time. */
  const revive = (): Observable<unknown> =>
    defer(deps.refresh.run).pipe(
      tap((outcome) => {
        if (sessionStore.owner() === null) return;
        if (E.isRight(outcome)) followOtherTab();
        else expire();
      }),
    );
  /** A visitor without a session stays on the current path; one with an incomplete session goes to the sign-in page. */
  const resume = (): Observable<unknown> => {
    const stored = storedSession(sessionStore, deps.clock.now());
    if (stored.kind === "expired") return revive();
    if (stored.kind === "valid") enter(stored.user);
    else if (stored.kind === "incomplete") leave();
    else {
      sessionStore.clear("expiry");
      state$.set(signedOut);
    }
    return EMPTY;
  };
  return {
    state$,
    logOut: () =>
      pipe(
        // The request reads the token when it starts.
        deferTask(() => logouts.send(sessionStore.token())),
        onStarted(() => {
          deps.forgetPrivateKeys();
          end("log-out");
        }),
        mapResult(() => undefined),
      ),
    refresh: () => pipe(maintenance.refresh, TE.mapLeft(problemOf("refreshSession"))),
    validate: () => pipe(maintenance.validate, TE.mapLeft(problemOf("validateSession"))),
    startSession: (signedIn) => {
      const isStored = sessionStore.save(signedIn);
      if (!isStored) return false;
      deps.refresh.reset();
      startTask(calls.setCookie(signedIn.token));
      enter(signedIn.user);
      return true;
    },
    continueAs,
    expire,
    start: () => {
      const running = deps.refresh.start();
      running.add(resume().subscribe());
      running.add(logouts.start());
      running.add(sessionStore.changedElsewhere$.subscribe(followOtherTab));
      running.add(
        deps.later$
          .pipe(
            switchMap(() => scheduleMaintenance({ ...deps, isSignedIn$ })),
            mergeMap((action) => defer(maintenance[action])),
          )
          .subscribe(),
      );
      return running;
    },
  };
};
