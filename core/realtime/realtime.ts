import type { Task } from "fp-ts/lib/Task.js";
import { Subscription } from "rxjs";
import type { LateState } from "../kernel/late.ts";
import { createState, mapState, type State, stateWithin } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConnectionState } from "./connection.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { SocketClient } from "./socketClient.ts";

/** The live connection to the server, as the app shows it. */
export interface Realtime {
  readonly state$: State<ConnectionState>;
  /**
   * True while a needed connection is down; an attempt to reconnect keeps it true, an open connection ends
   * it.
   */
  readonly isOffline$: State<boolean>;
  /** True after 3 s offline: the app offers help (SH2). */
  readonly needsHelp$: State<boolean>;
  /** Connects immediately, whatever the state. */
  readonly reconnect: () => void;
  /** Reports user activity: a connection closed for inactivity comes back. */
  readonly markActive: () => void;
  /** Diagnoses the connection; null when the code for it could not be loaded. */
  readonly diagnose: Task<Diagnosis | null>;
}

/** The parts of the connection whose code is loaded after sign-in. */
export interface LateRealtime {
  readonly link: Pick<SocketClient, "state$" | "reconnect" | "markActive">;
  readonly diagnose: Task<Diagnosis>;
}

interface Deps {
  readonly late$: State<LateState<LateRealtime>>;
  /** Retries to load the code of the connection. */
  readonly retryLoading: () => void;
  /** False when the server offers no sockets; then the state is idle. */
  readonly isAllowed: boolean;
  readonly clock: Clock;
}

/** How long the app is offline before it offers help (A9). */
const helpAfterMs = 3_000;

const stateWhileNotLoaded: Readonly<Record<string, ConnectionState>> = {
  fetching: "connecting",
  missing: "disconnected",
};

export const createRealtime = (deps: Deps): Realtime & { readonly start: () => Subscription } => {
  const { late$, isAllowed, clock } = deps;
  const isOffline$ = createState(false);
  const needsHelp$ = createState(false);
  const loaded$ = mapState(late$, (late) => (late.kind === "here" ? late.part : null));
  const notLoadedState$ = mapState(
    late$,
    ({ kind }): ConnectionState => (isAllowed && stateWhileNotLoaded[kind]) || "idle",
  );
  const state$ = stateWithin<LateState<LateRealtime>, ConnectionState>(
    late$,
    (late) => (late.kind === "here" ? late.part.link.state$ : notLoadedState$),
    "idle",
  );
  let helpTimer = Subscription.EMPTY;

  const updateOffline = (state: ConnectionState): void => {
    const isOffline = state === "connecting" ? isOffline$.value : state !== "connected" && state !== "idle";
    if (isOffline === isOffline$.value) return;
    isOffline$.set(isOffline);
    needsHelp$.set(false);
    helpTimer.unsubscribe();
    if (isOffline) helpTimer = clock.scheduler.schedule(() => needsHelp$.set(true), helpAfterMs);
  };
  return {
    state$,
    isOffline$,
    needsHelp$,
    reconnect: () => (loaded$.value === null ? deps.retryLoading() : loaded$.value.link.reconnect()),
    markActive: () => loaded$.value?.link.markActive(),
    diagnose: () => loaded$.value?.diagnose() ?? Promise.resolve(null),
    start: () => {
      const subscription = state$.subscribe(updateOffline);
      subscription.add(() => updateOffline("idle"));
      return subscription;
    },
  };
};
