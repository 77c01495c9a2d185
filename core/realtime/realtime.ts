import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, from, map, merge, type Observable, of, Subscription, switchMap } from "rxjs";
import { createCall } from "../api/call.ts";
import type { Failure } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import type { Http } from "../ports/http.ts";
import type { Ports } from "../ports/ports.ts";
import { getAccount } from "../session/user.ts";
import type { Topic } from "./clientMessages.ts";
import type { ConnectionState, SessionVerdict } from "./connection.ts";
import type { DataUpdate, ResourceVersion, ServerMessage } from "./messages.ts";
import { createSocketClient, type SocketClient } from "./socketClient.ts";

const toVerdict = (failure: Failure): SessionVerdict => {
  if (failure.kind !== "refused") return failure.kind === "unreadable" ? "good" : "unknown";
  if (failure.status >= 500 || failure.status === 429) return "unknown";
  return failure.status === 401 ? "ended" : "good";
};

/** Creates the check whether the session is still valid: it requests the account. `http` renews an expired token. */
const createSessionCheck = (http: Http): Task<SessionVerdict> =>
  pipe(
    createCall(http)(getAccount)(),
    TE.match(toVerdict, (): SessionVerdict => "good"),
  );

/** The realtime connection to the server, as the app shows it. */
export interface Realtime {
  readonly state$: State<ConnectionState>;
  /** True while the connection is closed because nobody used the page for 10 minutes; the next activity reopens it. */
  readonly isPaused$: State<boolean>;
  /** True while a needed connection is down, also during attempts; an open connection or a pause ends it. */
  readonly isOffline$: State<boolean>;
  /** True after 3 s offline: the app offers help (SH2). */
  readonly needsHelp$: State<boolean>;
  /** Connects immediately, whatever the state. */
  readonly reconnect: () => void;
  /** Reports user activity: a connection closed for inactivity comes back. */
  readonly markActive: () => void;
  /** Receives the changes of a topic until the returned function is called. */
  readonly follow: (topic: Topic) => () => void;
}

/** The connection as the other features of core use it. */
export interface RealtimeControl extends Realtime {
  readonly client: SocketClient;
  /** Emits the changes on the server, "connected" at first, and "resumed" when changes may have been missed. */
  readonly updates$: Observable<DataUpdate>;
  /** Emits the states of resources that the server names at each connection. */
  readonly versions$: Observable<ResourceVersion>;
  /** True when the topics of a new connection are subscribed, false when it is closed. */
  readonly isReady$: Observable<boolean>;
  readonly start: () => Subscription;
}

export interface RealtimeDeps
  extends Pick<Ports, "socket" | "clock" | "random" | "reporter" | "connectivity" | "tabs"> {
  readonly baseAddress: string;
  readonly token: () => string | null;
  /** Names this run of the app to the server. */
  readonly clientId: string;
  readonly user$: Observable<object | null>;
  /** False when the server offers no sockets; then the state is idle. */
  readonly isAllowed: boolean;
  /** Sends as the signed-in user and refreshes an expired token. */
  readonly sessionHttp: Http;
  readonly banner: { readonly show: (text: string) => void; readonly withdraw: (text: string) => void };
}

/** The time for which the app is offline before it offers help (SH2). */
const helpAfterMs = 3_000;

const connectionLost = "Connection to server lost. Please refresh the page to reconnect.";

/** The topics that every screen shows; those of single screens are followed while they are shown. */
const topicsOfAllScreens = [
  { channel: "notifications" },
  { resource: "masks" },
  { resource: "account" },
  { resource: "held" },
] as const;

const toUpdate = (message: ServerMessage): DataUpdate | null => {
  if (message.type === "code")
    return { resource: "codes", action: "created", resourceId: message.data.id, entity: message.data };
  return message.type === "data_update" ? message.data : null;
};

const updatesOf = ({ messages$, state$ }: SocketClient): Observable<DataUpdate> =>
  merge(
    messages$.pipe(
      map(toUpdate),
      filter((update) => update !== null),
    ),
    state$.pipe(
      filter((state) => state === "connected"),
      map((_, index): DataUpdate => ({ resource: "masks", action: index === 0 ? "connected" : "resumed" })),
    ),
  );

const versionsOf = ({ messages$ }: SocketClient): Observable<ResourceVersion> =>
  messages$.pipe(
    filter((message) => message.type === "resource_version"),
    map(({ data }) => data),
  );

const readinessOf = ({ ready$, state$ }: SocketClient): Observable<boolean> =>
  merge(
    ready$.pipe(map(() => true)),
    state$.pipe(
      filter((state) => state !== "connected"),
      map(() => false),
    ),
  );

/** Creates the connection, which is open while somebody is signed in; it reconnects when the user changes. */
export const createRealtime = (deps: RealtimeDeps): RealtimeControl => {
  const { clock, connectivity, tabs, banner } = deps;
  const client = createSocketClient({
    ...deps,
    online$: connectivity.online$,
    enabled$: deps.user$.pipe(
      switchMap((user) => (user && deps.isAllowed ? from([false, true]) : of(false))),
    ),
    checkSession: createSessionCheck(deps.sessionHttp),
  });
  for (const topic of topicsOfAllScreens) client.subscribeTo(topic);
  const isOffline$ = createState(false);
  const needsHelp$ = createState(false);
  let helpTimer = Subscription.EMPTY;

  const isDown = (state: ConnectionState): boolean => {
    if (state === "connecting") return isOffline$.value;
    return state !== "connected" && state !== "idle" && !client.isPaused$.value;
  };
  const updateOffline = (state: ConnectionState): void => {
    const isOffline = isDown(state);
    if (isOffline === isOffline$.value) return;
    isOffline$.set(isOffline);
    needsHelp$.set(false);
    helpTimer.unsubscribe();
    if (isOffline) helpTimer = clock.scheduler.schedule(() => needsHelp$.set(true), helpAfterMs);
  };
  return {
    client,
    state$: client.state$,
    isPaused$: client.isPaused$,
    isOffline$,
    needsHelp$,
    reconnect: client.reconnect,
    follow: client.subscribeTo,
    markActive: client.markActive,
    updates$: updatesOf(client),
    versions$: versionsOf(client),
    isReady$: readinessOf(client),
    start: () => {
      const running = new Subscription(() => updateOffline("idle"));
      running.add(client.state$.subscribe(updateOffline));
      running.add(
        client.state$.subscribe((state) =>
          state === "max-retries" ? banner.show(connectionLost) : banner.withdraw(connectionLost),
        ),
      );
      running.add(tabs.visible$.pipe(filter((isVisible) => isVisible)).subscribe(client.markActive));
      running.add(client.start());
      return running;
    },
  };
};
