import type { Task } from "fp-ts/lib/Task.js";
import { EMPTY, filter, map, merge, type Observable, Subscription, switchMap, tap } from "rxjs";
import type { AccountControl } from "../account/account.ts";
import { type AddressChangeDeps, createAddressChange } from "../account/addressChange.ts";
import { followAccount } from "../account/followAccount.ts";
import type { Call } from "../api/call.ts";
import { createInbox, type Inbox } from "../notifications/inbox.ts";
import { createHttpNotifications } from "../notifications/notificationGateway.ts";
import type { Http } from "../ports/http.ts";
import type { Ports } from "../ports/ports.ts";
import { createDiagnose, type Diagnosis } from "../realtime/diagnosis.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { createSessionCheck } from "../realtime/sessionCheck.ts";
import { createSocketClient, type SocketClient } from "../realtime/socketClient.ts";
import { createSocketNotifications, notificationEvents } from "../realtime/socketNotifications.ts";
import type { User } from "../session/user.ts";

/** The parts that only a signed-in user needs; their code is loaded at sign-in. */
export interface Live {
  readonly link: SocketClient;
  readonly inbox: Inbox;
  readonly diagnose: Task<Diagnosis>;
  /** Emits the changes on the server, and "resumed" when changes may have been missed. */
  readonly updates$: Observable<DataUpdate>;
  readonly start: () => Subscription;
}

export interface LiveDeps
  extends AddressChangeDeps,
    Pick<Ports, "socket" | "clock" | "random" | "reporter" | "connectivity" | "tabs"> {
  readonly baseAddress: string;
  readonly token: () => string | null;
  readonly user$: Observable<User | null>;
  readonly account: AccountControl;
  /** Whether there should be a connection now. */
  readonly wanted$: Observable<boolean>;
  readonly call: Call;
  /** Sends without authentication, retries and toasts. */
  readonly plainHttp: Http;
  /** Sends as the signed-in user and refreshes an expired token. */
  readonly sessionHttp: Http;
  readonly banner: { readonly show: (text: string) => void; readonly withdraw: (text: string) => void };
}

const connectionLost = "Connection to server lost. Please refresh the page to reconnect.";

/** The topics that the page subscribes to. */
const topics = [
  { channel: "notifications" },
  { resource: "masks" },
  { resource: "account" },
  { resource: "keys" },
  { resource: "insights" },
  { resource: "content-access" },
] as const;

/** Emits the changes on the server; after a reconnect it emits "resumed", because changes may have been missed. */
const updatesOf = ({ messages$, state$ }: SocketClient): Observable<DataUpdate> =>
  merge(
    messages$.pipe(
      filter((message) => message.type === "data_update"),
      map(({ data }) => data),
    ),
    state$.pipe(
      filter((state) => state === "connected"),
      map((): DataUpdate => ({ resource: "masks", action: "resumed" })),
    ),
  );

const isLive = ({ ready$, state$ }: SocketClient): Observable<boolean> =>
  merge(
    ready$.pipe(map(() => true)),
    state$.pipe(
      filter((state) => state !== "connected"),
      map(() => false),
    ),
  );

export const createLive = (deps: LiveDeps): Live => {
  const { clock, random, connectivity, tabs, banner } = deps;
  const link = createSocketClient({
    ...deps,
    online$: connectivity.online$,
    checkSession: createSessionCheck(deps.sessionHttp),
  });
  const inbox = createInbox({
    ...deps,
    httpGateway: createHttpNotifications(deps.call),
    socketGateway: createSocketNotifications(link, random),
    events$: notificationEvents(link.messages$),
    isConnected$: isLive(link),
  });
  const updates$ = updatesOf(link).pipe(tap(deps.forgetPendingGets));
  const { online$ } = connectivity;
  const followed$ = deps.user$.pipe(
    switchMap((user) =>
      user === null ? EMPTY : followAccount({ account: deps.account, updates$, online$, clock }),
    ),
  );
  for (const topic of topics) link.subscribeTo(topic);
  return {
    link,
    inbox,
    diagnose: createDiagnose({
      http: deps.plainHttp,
      clock,
      isOnline: () => connectivity.online$.value,
      state: () => link.state$.value,
      history: () => link.history$.value,
    }),
    updates$,
    start: () => {
      const running = new Subscription();
      running.add(inbox.start());
      running.add(followed$.subscribe());
      running.add(createAddressChange(deps).followRemoteChanges(deps.account.account$));
      running.add(
        link.state$.subscribe((state) =>
          state === "max-retries" ? banner.show(connectionLost) : banner.withdraw(connectionLost),
        ),
      );
      running.add(tabs.visible$.pipe(filter((isVisible) => isVisible)).subscribe(link.markActive));
      running.add(link.start());
      return running;
    },
  };
};
