import * as E from "fp-ts/lib/Either.js";
import { identity } from "fp-ts/lib/function.js";
import { distinctUntilChanged, filter, map, Subscription } from "rxjs";
import { type AccountResource, createAccountResource } from "../account/account.ts";
import { defaultTimeoutMs } from "../api/basicMiddleware.ts";
import { createCall } from "../api/call.ts";
import { type ClientConfiguration, flagsOf } from "../api/configuration.ts";
import { startFailureMessage } from "../api/errorMessages.ts";
import { sessionExpired } from "../api/failureNotices.ts";
import type { FetchPart } from "../kernel/late.ts";
import { combineState } from "../kernel/state.ts";
import type { Masks } from "../masks/masks.ts";
import type { Notifications } from "../notifications/notifications.ts";
import type { Page } from "../ports/page.ts";
import type { Ports } from "../ports/ports.ts";
import type { Realtime } from "../realtime/realtime.ts";
import { createSession, type Session, type SessionState } from "../session/session.ts";
import { createSessionCalls } from "../session/sessionCalls.ts";
import { createSessionStore } from "../session/sessionStore.ts";
import { createSignIn, type SignIn } from "../session/signIn.ts";
import { createTokenRefresh } from "../session/tokenRefresh.ts";
import type { User } from "../session/user.ts";
import { createStore } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { mayChoosePrefix } from "../tiers/tier.ts";
import { createHttpClients } from "./httpClients.ts";
import { createLateParts, type LateParts } from "./lateParts.ts";
import { createLogout, type Logout } from "./logout.ts";
import { createSignedInParts } from "./signedInParts.ts";
import { createTheme, type ThemeChoice } from "./theme.ts";
import { type Banner, createBanner, createToasts, type Toasts } from "./toastsAndBanner.ts";

export interface AppOptions {
  readonly configuration: ClientConfiguration;
  /** The server's address, as in "https://mail.example.org"; the page's own origin when it is left out or empty. */
  readonly baseAddress?: string;
  /** Timeout of a request in milliseconds; 15,000 when left out. */
  readonly timeoutMs?: number;
  /** Session storage key of this tab's copy of the user; "userData" when left out. */
  readonly userDataInTab?: string;
  /** Wraps the dynamic imports of code that is loaded later; plain imports when left out. */
  readonly fetchPart?: FetchPart;
}

/** The core as a shell sees it: the use cases it can call and the states it can show. */
export interface App extends LateParts, Logout {
  readonly configuration: ClientConfiguration;
  readonly session: Session;
  readonly signIn: SignIn;
  readonly masks: Masks;
  readonly account: AccountResource;
  readonly toasts: Toasts;
  readonly banner: Banner;
  readonly theme: ThemeChoice;
  readonly realtime: Realtime;
  readonly notifications: Notifications;
  readonly page: Pick<Page, "narrow$" | "path$" | "navigate">;
  /** Starts all parts. The returned function stops them; the app can be started again afterwards. */
  readonly start: () => () => void;
}

const userOf = (state: SessionState): User | null => (state.kind === "signed-in" ? state.user : null);

/** Creates the app from its ports. Nothing runs until `start()`. */
export const createApp = (ports: Ports, options: AppOptions): App => {
  const { clock, page, reporter, connectivity, tabs, telemetry } = ports;
  const {
    configuration,
    baseAddress = "",
    timeoutMs = defaultTimeoutMs,
    fetchPart = (load) => load,
  } = options;
  const flags = flagsOf(configuration);
  const store = createStore(ports.storage);
  const sessionStore = createSessionStore(store, clock, options.userDataInTab ?? storedKeys.userData.name);

  const toasts = createToasts(clock);
  const banner = createBanner();
  const theme = createTheme(page, store);

  const httpClients = createHttpClients({
    ports,
    destination: { baseAddress, timeoutMs, clock },
    store,
    session: {
      token: sessionStore.token,
      owner: sessionStore.owner,
      refresh: () => refresh.run(),
      onExpired: () => session.expire(),
    },
    showToastOnce: toasts.showOnce,
    isTraced: flags.performanceTracking,
  });
  const { call, plainHttp } = httpClients;
  const calls = createSessionCalls(call, createCall(plainHttp));
  const refresh = createTokenRefresh({ sessionStore, requestToken: calls.refresh, tabs, clock });
  const session = createSession({
    sessionStore,
    calls,
    refresh,
    clock,
    page,
    online$: connectivity.online$,
    visible$: tabs.visible$,
    telemetry,
    forgetPrivateKeys: () => void ports.keyring.forgetAll()(),
    onExpired: () => toasts.showOnce("warning", sessionExpired),
  });
  const user$ = session.state$.pipe(
    map(userOf),
    distinctUntilChanged((a, b) => a?.email === b?.email),
  );
  const account = createAccountResource({ call, store, clock, user$ });
  const signIn = createSignIn({
    call,
    clock,
    session,
    onSignedIn: () => toasts.show("success", "Logged in successfully"),
    payments: flags.payments,
    encryption: flags.encryption,
  });

  const signedIn = createSignedInParts({
    ...ports,
    ...httpClients,
    fetchPart,
    flags,
    baseAddress,
    token: sessionStore.token,
    user$,
    session,
    account,
    store,
    toast: toasts.show,
    banner,
    mayChoosePrefix$: combineState([account.account$, session.state$], (currentAccount, state) =>
      mayChoosePrefix((currentAccount ?? userOf(state))?.subscription.tier ?? "free"),
    ),
  });
  const { masks, realtime, notifications, updates$, request } = signedIn;
  const { started, ...lateParts } = createLateParts({
    ...ports,
    fetchPart,
    configuration,
    flags,
    call,
    store,
    toast: toasts.show,
    banner,
    account,
    masks,
    logOut: session.logOut,
    user$,
    owner: sessionStore.owner,
    session,
    forgetPendingGets: httpClients.forgetPendingGets,
    signUpTicket: signIn.ticket,
    updates$,
    request,
  });

  const startParts = (running: Subscription): void => {
    for (const part of [theme, toasts, account, ...signedIn.started, signIn, session, ...started])
      running.add(part.start());
    running.add(user$.pipe(filter((user) => user === null)).subscribe(() => toasts.clear(sessionExpired)));
    void httpClients.refreshCsrfToken();
  };
  const onStartFailure = (error: unknown): void => {
    banner.show(startFailureMessage);
    reporter.report(error, { doing: "start" });
  };
  return {
    ...lateParts,
    ...createLogout(store, lateParts),
    configuration,
    session,
    signIn,
    masks,
    account,
    toasts,
    banner,
    theme,
    realtime,
    notifications,
    page,
    start: () => {
      const running = new Subscription();
      E.getOrElse(onStartFailure)(E.tryCatch(() => startParts(running), identity));
      return () => running.unsubscribe();
    },
  };
};
