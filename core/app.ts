import * as E from "fp-ts/lib/Either.js";
import { distinctUntilChanged, EMPTY, filter, from, map, of, Subscription, switchMap } from "rxjs";
import { type AccountDoor, makeAccountDoor } from "./account/account.ts";
import type { User } from "./account/user.ts";
import { type Banner, makeBanner } from "./banner/banner.ts";
import type { ClientConfiguration } from "./contract/configuration.ts";
import { csrfCookie } from "./contract/csrf.ts";
import { flagsOf } from "./contract/flags.ts";
import { type FetchPart, makeLate } from "./kernel/late.ts";
import { combineState, mapState } from "./kernel/state.ts";
import { type LateParts, loadLive, loadMasks, makeLateParts } from "./lateParts.ts";
import { makeLateMasks } from "./masks/lateMasks.ts";
import { maskListPath } from "./masks/maskPaths.ts";
import type { Masks } from "./masks/masks.ts";
import { makeNotifications, type Notifications } from "./notifications/notifications.ts";
import type { Page } from "./ports/page.ts";
import type { Ports } from "./ports/ports.ts";
import { notConnected } from "./realtime/linkErrors.ts";
import { makeRealtime, type Realtime } from "./realtime/realtime.ts";
import { makeCall } from "./requests/call.ts";
import { dress, dressPlainly } from "./requests/dress.ts";
import { type SessionWatch, withFreshSession } from "./requests/freshSession.ts";
import { withBearer } from "./requests/identity.ts";
import { sessionExpired, type Tell } from "./requests/notices.ts";
import { makeSharing } from "./requests/sharing.ts";
import { defaultTimeoutMs } from "./requests/timeout.ts";
import { startFailure } from "./sentences/startFailure.ts";
import { learnCsrfToken } from "./session/csrfToken.ts";
import { makeRefresh } from "./session/refresh.ts";
import { makeSession, type Session, type SessionState } from "./session/session.ts";
import { makeSessionCalls } from "./session/sessionCalls.ts";
import { makeSessionItems } from "./session/sessionItems.ts";
import { makeSignIn, type SignIn } from "./session/signIn.ts";
import { makeStore } from "./storage/store.ts";
import { plainText } from "./storage/storedCodecs.ts";
import { storedKeys } from "./storage/storedKeys.ts";
import { unsavedSentence } from "./sync/unsaved.ts";
import { makeTheme, type ThemeDoor } from "./theme/theme.ts";
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
export interface App extends LateParts {
  readonly configuration: ClientConfiguration;
  readonly session: Session;
  readonly signIn: SignIn;
  readonly masks: Masks;
  readonly account: AccountDoor;
  readonly toasts: Toasts;
  readonly banner: Banner;
  readonly theme: ThemeDoor;
  readonly realtime: Realtime;
  readonly notifications: Notifications;
  readonly page: Pick<Page, "narrow$" | "path$" | "navigate">;
  /** What a logout would lose, in a sentence to be asked about first; null when it loses nothing. */
  readonly unsaved: () => string | null;
  /** Begins; the returned function stops everything, after which it can begin again. */
  readonly start: () => () => void;
}

const userOf = (state: SessionState): User | null => (state.kind === "signed-in" ? state.user : null);

/** Makes the product from its ports. Silent: nothing runs until `start()`. */
export const makeApp = (ports: Ports, settings: AppSettings): App => {
  const { clock, random, page, reporter, connectivity, tabs, telemetry } = ports;
  const {
    configuration,
    baseAddress = "",
    timeoutMs = defaultTimeoutMs,
    fetchPart = (load) => load,
  } = settings;
  const flags = flagsOf(configuration);
  const store = makeStore(ports.storage);
  const items = makeSessionItems(store, clock, settings.userDataInTab ?? storedKeys.userData.name);
  const csrf = store.of(storedKeys.csrfToken, plainText);

  const toasts = makeToasts(clock);
  const tell: Tell = (kind, sentence) => {
    if (toasts.list$.value.some(({ text }) => text === sentence)) return false;
    toasts.show(kind, sentence);
    return true;
  };
  const banner = makeBanner();
  const theme = makeTheme(page, store);

  const destination = { baseAddress, timeoutMs, clock };
  const plainHttp = dressPlainly(ports.http, destination);
  const watch: SessionWatch = {
    token: items.token,
    owner: items.owner,
    refresh: () => refresh.run(),
    expired: () => session.expire(),
  };
  const sharing = makeSharing(clock, items.token);
  const call = makeCall(
    dress(ports.http, {
      ...destination,
      random,
      reporter,
      telemetry: flags.performanceTracking ? telemetry : null,
      tell,
      sharing,
      directRoutes: [maskListPath],
      session: watch,
      csrf: { fromCookie: () => page.cookie(csrfCookie), stored: csrf, renew: () => learnCsrf() },
    }),
  );
  const learnCsrf = learnCsrfToken(call, items.token, csrf.write);
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
    farewell: () => tell("warning", sessionExpired),
  });
  const user$ = session.state$.pipe(
    map(userOf),
    distinctUntilChanged((a, b) => a?.email === b?.email),
  );
  const account = makeAccountDoor({ call, store, clock, user$ });
  const signIn = makeSignIn({
    call,
    clock,
    session,
    welcome: () => toasts.show("success", "Logged in successfully"),
    payments: flags.payments,
  });

  /** With a network what could not be fetched is fetched at once. */
  const again$ = connectivity.online$.pipe(filter((online) => online));
  const fetchLive = fetchPart(loadLive);
  const live = makeLate({
    wanted$: user$.pipe(map((user) => user !== null)),
    fetch: fetchLive,
    again$,
    make: ({ makeLive }) =>
      makeLive({
        ...ports,
        baseAddress,
        token: items.token,
        user$,
        account,
        forgetAnswers: sharing.forget,
        /** Another user gets another connection. */
        wanted$: user$.pipe(
          switchMap((user) => (user && flags.websockets ? from([false, true]) : of(false))),
        ),
        call,
        plainHttp,
        sessionHttp: withFreshSession(watch)(withBearer(items.token)(plainHttp)),
        toast: toasts.show,
        banner,
      }),
    scheduler: clock.scheduler,
  });
  const realtime = makeRealtime({
    late$: live.state$,
    fetchAgain: live.retry,
    isAllowed: flags.websockets,
    clock,
  });
  const notifications = makeNotifications(
    mapState(live.state$, (late) => (late.kind === "here" ? late.part.inbox : null)),
  );
  const updates$ = live.state$.pipe(switchMap((late) => (late.kind === "here" ? late.part.updates$ : EMPTY)));
  const fetchMasks = fetchPart(loadMasks);
  const lateMasks = makeLate({
    wanted$: user$.pipe(map((user) => user !== null)),
    fetch: fetchMasks,
    again$,
    make: ({ makeMasks }) =>
      makeMasks({
        call,
        clock,
        store,
        page,
        online$: connectivity.online$,
        toast: toasts.show,
        user$,
        updates$,
        forgetAnswers: sharing.forget,
        mayChoosePrefix$: combineState([account.account$, session.state$], (known, state) =>
          mayChoosePrefix((known ?? userOf(state))?.subscription.tier ?? "free"),
        ),
      }),
    scheduler: clock.scheduler,
  });
  const masks = makeLateMasks(lateMasks);

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
    signUpTicket: signIn.ticket,
    updates$,
    request: (said, isAnswer) => () => {
      const late = live.state$.value;
      return late.kind === "here"
        ? late.part.link.request(said, isAnswer)()
        : Promise.resolve(E.left(notConnected));
    },
  });

  const pending = store.of(storedKeys.pendingRulesSync, plainText);
  const unsaved = (): string | null => {
    const late = lateParts.rules.state$.value;
    if (late.kind !== "here") return pending.read() === null ? null : unsavedSentence(null);
    const { masks: count, rules } = late.part.sync.view$.value;
    return count === 0 ? null : unsavedSentence(rules);
  };

  const begin = (running: Subscription): void => {
    for (const part of [theme, toasts, live, realtime, account, lateMasks, signIn, session, ...started])
      running.add(part.start());
    running.add(user$.pipe(filter((user) => user === null)).subscribe(() => toasts.clear(sessionExpired)));
    void learnCsrf();
  };
  const fail = (error: unknown): void => {
    banner.show(startFailure);
    reporter.report(error, { doing: "start" });
  };
  return {
    ...lateParts,
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
    unsaved,
    start: () => {
      const running = new Subscription();
      E.match(
        fail,
        () => undefined,
      )(
        E.tryCatch(
          () => begin(running),
          (error) => error,
        ),
      );
      return () => running.unsubscribe();
    },
  };
};
