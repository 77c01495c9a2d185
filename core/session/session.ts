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

/**
 * Keeps the session of a browser in its storage; `start()` restores it and keeps it valid.
 */
export class BrowserSession implements SessionControl {
  readonly #deps: Deps;
  readonly #state$ = createState<SessionState>(starting);
  readonly #isSignedIn$: Observable<boolean>;
  readonly #logouts: OwedLogouts;
  readonly #maintenance: ReturnType<typeof createSessionMaintenance>;
  readonly state$: State<SessionState> = this.#state$;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#isSignedIn$ = this.state$.pipe(map(({ kind }) => kind === "signed-in"));
    this.#logouts = new OwedLogouts({ ...deps, state$: this.state$ });
    this.#maintenance = createSessionMaintenance({ ...deps, expire: this.expire });
  }

  readonly logOut = (): Task<void> =>
    pipe(
      // The request reads the token when it starts.
      deferTask(() => this.#logouts.send(this.#deps.sessionStore.token())),
      onStarted(() => {
        this.#deps.forgetPrivateKeys();
        this.#end("log-out");
      }),
      mapResult(() => undefined),
    );

  readonly refresh = (): TE.TaskEither<Problem, void> =>
    pipe(this.#maintenance.refresh, TE.mapLeft(problemOf("refreshSession")));

  readonly validate = (): TE.TaskEither<Problem, void> =>
    pipe(this.#maintenance.validate, TE.mapLeft(problemOf("validateSession")));

  readonly startSession = (signedIn: SignedIn): boolean => {
    const isStored = this.#deps.sessionStore.save(signedIn);
    if (!isStored) return false;
    this.#deps.refresh.reset();
    startTask(this.#deps.calls.setCookie(signedIn.token));
    this.#enter(signedIn.user);
    return true;
  };

  readonly continueAs = (user: User): void => {
    this.#deps.sessionStore.saveInTab(user);
    this.#enter(user);
  };

  readonly expire = (): void => {
    this.#deps.onExpired();
    startTask(this.#deps.calls.clear);
    this.#end("expiry");
  };

  readonly start = (): Subscription => {
    const running = this.#deps.refresh.start();
    running.add(this.#resume().subscribe());
    running.add(this.#logouts.start());
    running.add(this.#deps.sessionStore.changedElsewhere$.subscribe(this.#followOtherTab));
    running.add(
      this.#deps.later$
        .pipe(
          switchMap(() => scheduleMaintenance({ ...this.#deps, isSignedIn$: this.#isSignedIn$ })),
          mergeMap((action) => defer(this.#maintenance[action])),
        )
        .subscribe(),
    );
    return running;
  };

  #enter(user: User): void {
    const { page, refresh } = this.#deps;
    const { value } = this.#state$;
    if (value.kind === "signed-in" && value.user.email !== user.email) refresh.reset();
    this.#state$.set({ kind: "signed-in", user });
    if (isLoginPath(page.path$.value)) page.navigate("/", { keepsPlace: true });
  }

  #leave(reason: "log-out" | "expiry" = "expiry"): void {
    const { page, refresh, sessionStore } = this.#deps;
    refresh.reset();
    sessionStore.clear(reason);
    page.expireCookie(csrfCookie);
    this.#state$.set(signedOut);
    if (!isLoginPath(page.path$.value)) page.navigate(loginPath, { keepsPlace: reason === "expiry" });
  }

  #end(reason: "log-out" | "expiry"): void {
    this.#deps.telemetry.event("session.end", { reason });
    this.#leave(reason);
  }

  /** Follows a sign-in or sign-out in another tab; ignores a session that the tab has not stored completely. */
  readonly #followOtherTab = (): void => {
    const user = this.#deps.sessionStore.user();
    if (user !== null) this.continueAs(user);
    else if (this.#deps.sessionStore.token() === null) this.#leave();
  };

  /** Tries to refresh a session that is past its expiry time. */
  #revive(): Observable<unknown> {
    return defer(this.#deps.refresh.run).pipe(
      tap((outcome) => {
        if (this.#deps.sessionStore.owner() === null) return;
        if (E.isRight(outcome)) this.#followOtherTab();
        else this.expire();
      }),
    );
  }

  /** A visitor without a session stays on the current path; one with an incomplete session goes to the sign-in page. */
  #resume(): Observable<unknown> {
    const stored = storedSession(this.#deps.sessionStore, this.#deps.clock.now());
    if (stored.kind === "expired") return this.#revive();
    if (stored.kind === "valid") this.#enter(stored.user);
    else if (stored.kind === "incomplete") this.#leave();
    else {
      this.#deps.sessionStore.clear("expiry");
      this.#state$.set(signedOut);
    }
    return EMPTY;
  }
}
