import { combineLatest, distinctUntilChanged, EMPTY, map, Observable, startWith, switchMap } from "rxjs";
import { nextChange } from "../../core/masks/waitingChange.ts";
import { nextToSend } from "../../core/masks/waitingMask.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { createConnectedApp } from "../connection/connectedApp.ts";
import { type Connection, storedConnection } from "../connection/connection.ts";

/** Runs the app of a connection while there is something to send and a network to send it over. */
const sendOf = (ports: Ports, connection: Connection): Observable<never> => {
  const app = createConnectedApp(ports, connection);
  const { list$, changes$ } = app.waitingMasks;
  return combineLatest([list$, changes$, ports.connectivity.online$]).pipe(
    map(([made, changes, isOnline]) => isOnline && Boolean(nextToSend(made) ?? nextChange(changes))),
    distinctUntilChanged(),
    switchMap((isWaiting) => (isWaiting ? new Observable<never>(() => app.start()) : EMPTY)),
  );
};

/**
 * Sends what was made without a network, as long as the background runs: what waits when it starts, and what the popup leaves
 * behind.
 */
export const sendWaiting = (ports: Ports): Observable<never> => {
  const stored = storedConnection(ports.storage);
  return stored.changes$.pipe(
    startWith(stored.read()),
    switchMap((connection) => (connection === null ? EMPTY : sendOf(ports, connection))),
  );
};
