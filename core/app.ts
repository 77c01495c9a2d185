import * as E from "fp-ts/lib/Either.js";
import { identity } from "fp-ts/lib/function.js";
import { distinctUntilChanged, filter, map, Subscription } from "rxjs";
import { type KnownAccount, makeKnownAccount } from "./account/account.ts";
import type { User } from "./account/user.ts";
import { makeAsking } from "./asking.ts";
import { type Banner, makeBanner } from "./banner/banner.ts";
import type { ClientConfiguration } from "./contract/configuration.ts";
import { flagsOf } from "./contract/flags.ts";
import type { FetchPart } from "./kernel/late.ts";
import { combineState } from "./kernel/state.ts";
import { type LateParts, makeLateParts } from "./lateParts.ts";
import { type Leaving, makeLeaving } from "./leaving.ts";
import type { Masks } from "./masks/masks.ts";
import type { Notifications } from "./notifications/notifications.ts";
import type { Page } from "./ports/page.ts";
import type { Ports } from "./ports/ports.ts";
import type { Realtime } from "./realtime/realtime.ts";
import { makeCall } from "./requests/call.ts";
import { sessionExpired } from "./requests/notices.ts";
import { defaultTimeoutMs } from "./requests/timeout.ts";
import { startFailure } from "./sentences/startFailure.ts";
import { makeRefresh } from "./session/refresh.ts";
import { makeSession, type Session, type SessionState } from "./session/session.ts";
import { makeSessionCalls } from "./session/sessionCalls.ts";
import { makeSessionItems } from "./session/sessionItems.ts";
import { makeSignIn, type SignIn } from "./session/signIn.ts";
import { makeSignedInParts } from "./signedInParts.ts";
import { makeStore } from "./storage/store.ts";
import { storedKeys } from "./storage/storedKeys.ts";
import { makeTheme, type ThemeChoice } from "./theme/theme.ts";
import { mayChoosePrefix } from "./tiers/tier.ts";
import { makeToasts, type Toasts } from "./toasts/toasts.ts";

export interface AppSettings {
  readonly configuration: ClientConfiguration;
  /** Where the server is, as in "https://mail.example.org"; left out or empty, the page's own origin (D3). */
  readonly baseAddress?: string;
  /** How long an answer is waited for, in milliseconds; 15,000 when left out (RQ5). */
  readonly timeoutMs?: number;
  /** The name under which this tab keeps the user object; "userData" when left out (SE1). */
  readonly userDataInTab?: string;
  /** How code that is needed late is fetched; as it is imported when left out. */
  readonly fetchPart?: FetchPart;
}

/** The product: everything a person can do with it, and everything there is to see. */
export interface App extends LateParts, Leaving {
  readonly configuration: ClientConfiguration;
  readonly session: Session;
  readonly signIn: SignIn;
  readonly masks: Masks;
  readonly account: KnownAccount;
  readonly toasts: Toasts;
  readonly banner: Banner;
  readonly theme: ThemeChoice;
  readonly realtime: Realtime;
  readonly notifications: Notifications;
  readonly page: Pick<Page, "narrow$" | "path$" | "navigate">;
  /** Begins; the returned function stops everything, after which it can begin again. */
  readonly start: () => () => void;
}

const userOf = (state: SessionState): User | null => (state.kind === "signed-in" ? state.user : null);

/** Makes the product from its ports. Silent: nothing runs until `start()`. */
export const makeApp = (ports: Ports, settings: AppSettings): App => {
  const { clock, page, reporter, connectivity, tabs, telemetry } = ports;
  const {
    configuration,
    baseAddress = "",
    timeoutMs = defaultTimeoutMs,
    fetchPart = (load) => load,
  } = settings;
  const flags = flagsOf(configuration);
  const store = makeStore(ports.storage);
  const items = makeSessionItems(store, clock, settings.userDataInTab ?? storedKeys.userData.name);

  const toasts = makeToasts(clock);
  const banner = makeBanner();
  const theme = makeTheme(page, store);

  const asking = makeAsking({
    ports,
    destination: { baseAddress, timeoutMs, clock },
    store,
    session: {
      token: items.token,
      owner: items.owner,
      refresh: () => refresh.run(),
      expired: () => session.expire(),
    },
    tell: toasts.showOnce,
    isTraced: flags.performanceTracking,
  });
  const { call, plainHttp } = asking;
  const calls = makeSessionCalls(call, makeCall(plainHttp));
  const refresh = makeRefresh({ items, ask: calls.refresh, tabs, clock });
  const session = makeSession({
    items,
    calls,
    refresh,
    clock,
    page,
    online$: connectivity.online$,
    visible$: tabs.visible$,
    telemetry,
    forgetKeys: () => void ports.keyring.forgetAll()(),
    farewell: () => toasts.showOnce("warning", sessionExpired),
  });
  const user$ = session.state$.pipe(
    map(userOf),
    distinctUntilChanged((a, b) => a?.email === b?.email),
  );
  const account = makeKnownAccount({ call, store, clock, user$ });
  const signIn = makeSignIn({
    call,
    clock,
    session,
    welcome: () => toasts.show("success", "Logged in successfully"),
    payments: flags.payments,
    encryption: flags.encryption,
  });

  const signedIn = makeSignedInParts({
    ...ports,
    ...asking,
    fetchPart,
    flags,
    baseAddress,
    token: items.token,
    user$,
    session,
    account,
    store,
    toast: toasts.show,
    banner,
    mayChoosePrefix$: combineState([account.account$, session.state$], (known, state) =>
      mayChoosePrefix((known ?? userOf(state))?.subscription.tier ?? "free"),
    ),
  });
  const { masks, realtime, notifications, updates$, request } = signedIn;
  const { started, ...lateParts } = makeLateParts({
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
    owner: items.owner,
    session,
    forgetAnswers: asking.forgetAnswers,
    signUpTicket: signIn.ticket,
    updates$,
    request,
  });

  const begin = (running: Subscription): void => {
    for (const part of [theme, toasts, account, ...signedIn.started, signIn, session, ...started])
      running.add(part.start());
    running.add(user$.pipe(filter((user) => user === null)).subscribe(() => toasts.clear(sessionExpired)));
    void asking.learnCsrf();
  };
  const fail = (error: unknown): void => {
    banner.show(startFailure);
    reporter.report(error, { doing: "start" });
  };
  return {
    ...lateParts,
    ...makeLeaving(store, lateParts),
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
      E.getOrElse(fail)(E.tryCatch(() => begin(running), identity));
      return () => running.unsubscribe();
    },
  };
};
