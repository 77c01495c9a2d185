import type { Task } from "fp-ts/lib/Task.js";
import { Subscription } from "rxjs";
import type { LateState } from "../kernel/late.ts";
import { makeState, mapState, type State, stateWithin } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConnectionState } from "./connection.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { Link } from "./link.ts";

/** The line on which the server tells what has changed. */
export interface Realtime {
  readonly state$: State<ConnectionState>;
  /** No connection, though one is meant to be; trying to have one again does not end it, a connection does. */
  readonly isOffline$: State<boolean>;
  /** Offline for 3 s: time to offer help (SH2). */
  readonly needsHelp$: State<boolean>;
  /** Connects now, whatever went before. */
  readonly reconnect: () => void;
  /** Tells that the user is here: a connection closed for inactivity comes back. */
  readonly active: () => void;
  /** Finds out what is the matter; null when not even the code for that could be fetched. */
  readonly diagnose: Task<Diagnosis | null>;
}

/** What of the connection is fetched late. */
export interface LateRealtime {
  readonly link: Pick<Link, "state$" | "reconnect" | "active">;
  readonly diagnose: Task<Diagnosis>;
}

interface Needs {
  readonly late$: State<LateState<LateRealtime>>;
  /** Tries again to fetch it. */
  readonly fetchAgain: () => void;
  /** False where the server offers no sockets: then there is nothing to wait for. */
  readonly isAllowed: boolean;
  readonly clock: Clock;
}

/** Offline for this long, the user is offered help (A9). */
const helpAfterMs = 3_000;

const absent: Readonly<Record<string, ConnectionState>> = { fetching: "connecting", missing: "disconnected" };

export const makeRealtime = (needs: Needs): Realtime & { readonly start: () => Subscription } => {
  const { late$, isAllowed, clock } = needs;
  const isOffline$ = makeState(false);
  const needsHelp$ = makeState(false);
  const here$ = mapState(late$, (late) => (late.kind === "here" ? late.part : null));
  const absent$ = mapState(late$, ({ kind }): ConnectionState => (isAllowed && absent[kind]) || "idle");
  const state$ = stateWithin<LateState<LateRealtime>, ConnectionState>(
    late$,
    (late) => (late.kind === "here" ? late.part.link.state$ : absent$),
    "idle",
  );
  let help = Subscription.EMPTY;

  const follow = (state: ConnectionState): void => {
    const isOffline = state === "connecting" ? isOffline$.value : state !== "connected" && state !== "idle";
    if (isOffline === isOffline$.value) return;
    isOffline$.set(isOffline);
    needsHelp$.set(false);
    help.unsubscribe();
    if (isOffline) help = clock.scheduler.schedule(() => needsHelp$.set(true), helpAfterMs);
  };
  return {
    state$,
    isOffline$,
    needsHelp$,
    reconnect: () => (here$.value === null ? needs.fetchAgain() : here$.value.link.reconnect()),
    active: () => here$.value?.link.active(),
    diagnose: () => here$.value?.diagnose() ?? Promise.resolve(null),
    start: () => {
      const running = state$.subscribe(follow);
      running.add(() => follow("idle"));
      return running;
    },
  };
};
