import { distinctUntilChanged, map, type Observable } from "rxjs";
import { defaultTimeoutMs } from "../api/basicMiddleware.ts";
import { createCall } from "../api/call.ts";
import { type ShowToastOnce, sessionExpired } from "../api/failureNotices.ts";
import { startTask } from "../kernel/task.ts";
import type { Ports } from "../ports/ports.ts";
import { BrowserSession, type SessionControl, type SessionState } from "../session/session.ts";
import { createSessionCalls } from "../session/sessionCalls.ts";
import { createSessionStore, type SessionStore } from "../session/sessionStore.ts";
import { TokenRefresh } from "../session/tokenRefresh.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { createHttpClients, type HttpClients } from "./httpClients.ts";

/** The session and the requests, which need each other: a request carries the token, and a request renews it. */
export interface SessionAndRequests extends Pick<SessionStore, "token" | "owner"> {
  readonly httpClients: HttpClients;
  readonly session: SessionControl;
  /** Emits when another user signs in, and null when nobody is signed in. */
  readonly user$: Observable<User | null>;
}

interface SessionAndRequestsDeps {
  readonly ports: Ports;
  readonly store: Store;
  readonly showToastOnce: ShowToastOnce;
  /** True while the page says that it is offline. */
  readonly isOfflineShown: () => boolean;
  readonly isTraced: boolean;
  readonly baseAddress: string;
  readonly timeoutMs: number | undefined;
  /** The key of this tab's copy of the user; undefined for the usual one. */
  readonly userDataInTab: string | undefined;
  /** Emits when the first screen is shown; the session is not validated before. */
  readonly later$: Observable<unknown>;
}

/** Says who calls the server, and how its requests prove it. */
export type AppCredentials = (deps: SessionAndRequestsDeps) => SessionAndRequests;

const userOf = (state: SessionState): User | null => (state.kind === "signed-in" ? state.user : null);

/** The credentials of a browser: a session that is kept in its storage. */
export const createSessionAndRequests: AppCredentials = ({
  ports,
  store,
  showToastOnce,
  isOfflineShown,
  isTraced,
  baseAddress,
  timeoutMs = defaultTimeoutMs,
  userDataInTab = storedKeys.userData.name,
  later$,
}) => {
  const { clock, page, connectivity, tabs, telemetry } = ports;
  const sessionStore = createSessionStore(store, clock, userDataInTab);
  const { token, owner } = sessionStore;
  const httpClients = createHttpClients({
    ports,
    destination: { baseAddress, timeoutMs, clock },
    store,
    session: {
      token,
      owner,
      refresh: () => refresh.run(),
      onExpired: () => session.expire(),
    },
    showToastOnce,
    isOfflineShown,
    isTraced,
  });
  const calls = createSessionCalls(httpClients.call, createCall(httpClients.plainHttp));
  const refresh = new TokenRefresh({ sessionStore, requestToken: calls.refresh, tabs, clock });
  const session = new BrowserSession({
    sessionStore,
    store,
    calls,
    refresh,
    clock,
    page,
    online$: connectivity.online$,
    visible$: tabs.visible$,
    telemetry,
    later$,
    forgetPrivateKeys: () => startTask(ports.keyring.forgetAll()),
    onExpired: () => showToastOnce("warning", sessionExpired),
  });
  const user$ = session.state$.pipe(
    map(userOf),
    distinctUntilChanged((a, b) => a?.email === b?.email),
  );
  return { httpClients, session, token, owner, user$ };
};
