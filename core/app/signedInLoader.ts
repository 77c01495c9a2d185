import type { Task } from "fp-ts/lib/Task.js";
import {
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  merge,
  Observable,
  of,
  Subject,
  type Subscription,
  switchMap,
  tap,
} from "rxjs";
import { backOnline } from "../kernel/backOnline.ts";
import { type Lazy, loadWithRetry } from "../kernel/lazy.ts";
import { createState, type State } from "../kernel/state.ts";
import type { User } from "../session/user.ts";
import type { SignedIn, SignedInDeps } from "./signedIn.ts";

/** Loads the code that only a signed-in user needs. */
export const loadSignedIn = () => import("./signedIn.ts");

export type LoadSignedIn = typeof loadSignedIn;

/** The signed-in part of the app: idle while nobody is signed in, loaded until the session ends. */
export interface SignedInPart {
  readonly state$: State<Lazy<SignedIn>>;
  /** Retries a failed load immediately; it is also retried each 5 s and when the device is online again. */
  readonly retry: () => void;
  /** Waits until a user is signed in and the code is loaded. */
  readonly whenLoaded: Task<SignedIn>;
}

interface SignedInPartDeps extends SignedInDeps {
  readonly load: LoadSignedIn;
}

const isLoaded = <A>(lazy: Lazy<A>): lazy is Extract<Lazy<A>, { readonly kind: "loaded" }> =>
  lazy.kind === "loaded";

/** Creates and starts a `SignedIn` for each session and stops it when the session ends. */
export const createSignedInPart = (
  deps: SignedInPartDeps,
): SignedInPart & { readonly start: () => Subscription } => {
  const { load, clock } = deps;
  const state$ = createState<Lazy<SignedIn>>({ kind: "idle" });
  const sessionUser$ = createState<User | null>(null);
  const retry$ = new Subject<void>();
  const backOnline$ = backOnline(deps.connectivity.online$);

  const run = (module: Awaited<ReturnType<LoadSignedIn>>): Observable<Lazy<SignedIn>> =>
    new Observable((subscriber) => {
      const value = module.createSignedIn({ ...deps, user$: sessionUser$ });
      const running = value.start();
      subscriber.next({ kind: "loaded", value });
      return running;
    });
  const load$ = loadWithRetry(load, merge(retry$, backOnline$), clock.scheduler).pipe(
    switchMap((lazy) => (isLoaded(lazy) ? run(lazy.value) : of(lazy))),
  );
  return {
    state$,
    retry: () => retry$.next(),
    whenLoaded: () =>
      firstValueFrom(
        state$.pipe(
          filter(isLoaded),
          map(({ value }) => value),
        ),
      ),
    start: () => {
      const running = deps.user$
        .pipe(
          // The features see the end of the session before they are stopped.
          tap(sessionUser$.set),
          map((user) => user !== null),
          distinctUntilChanged(),
          switchMap((isSignedIn) => (isSignedIn ? load$ : of<Lazy<SignedIn>>({ kind: "idle" }))),
        )
        .subscribe(state$.set);
      running.add(() => state$.set({ kind: "idle" }));
      return running;
    },
  };
};
