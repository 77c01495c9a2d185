import * as E from "fp-ts/lib/Either.js";
import { distinctUntilChanged, filter, from, map, merge, of, Subject, Subscription, switchMap } from "rxjs";
import { type AccountDoor, makeAccountDoor } from "./account/account.ts";
import type { User } from "./account/user.ts";
import { type Banner, makeBanner } from "./banner/banner.ts";
import type { ClientConfiguration } from "./contract/configuration.ts";
import { csrfCookie } from "./contract/csrf.ts";
import { combineState } from "./kernel/state.ts";
import { type Masks, makeMasks } from "./masks/masks.ts";
import type { Page } from "./ports/page.ts";
import type { Ports } from "./ports/ports.ts";
import type { DataUpdate } from "./realtime/messages.ts";
import { makeRealtime, type Realtime } from "./realtime/realtime.ts";
import { makeCall } from "./requests/call.ts";
import { dress } from "./requests/dress.ts";
import { defaultTimeoutMs } from "./requests/timeout.ts";
import { startFailure } from "./sentences/startFailure.ts";
import { learnCsrfToken } from "./session/csrfToken.ts";
import { makeSession, type Session, type SessionState } from "./session/session.ts";
import { makeSessionItems } from "./session/sessionItems.ts";
import { makeSignIn, type SignIn } from "./session/signIn.ts";
import { makeStore } from "./storage/store.ts";
import { plainText } from "./storage/storedCodecs.ts";
import { storedKeys } from "./storage/storedKeys.ts";
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
}

/** The product: everything a person can do with it, and everything there is to see. */
export interface App {
  readonly configuration: ClientConfiguration;
  readonly session: Session;
  readonly signIn: SignIn;
  readonly masks: Masks;
  readonly account: AccountDoor;
  readonly toasts: Toasts;
  readonly banner: Banner;
  readonly theme: ThemeDoor;
  readonly realtime: Realtime;
  readonly page: Pick<Page, "narrow$" | "path$" | "navigate">;
  /** Begins; the returned function stops everything, after which it can begin again. */
  readonly start: () => () => void;
}

const userOf = (state: SessionState): User | null => (state.kind === "signed-in" ? state.user : null);

/** Makes the product from its ports. Silent: nothing runs until `start()`. */
export const makeApp = (ports: Ports, settings: AppSettings): App => {
  const { clock, random, page, reporter, connectivity } = ports;
  const { configuration, baseAddress = "", timeoutMs = defaultTimeoutMs } = settings;
  const store = makeStore(ports.storage);
  const items = makeSessionItems(store, clock, settings.userDataInTab ?? storedKeys.userData.name);
  const csrf = store.of(storedKeys.csrfToken, plainText);
  const expired$ = new Subject<void>();
  const call = makeCall(
    dress(ports.http, {
      baseAddress,
      timeoutMs,
      clock,
      random,
      reporter,
      token: items.token,
      expired: () => expired$.next(),
      csrf: { fromCookie: () => page.cookie(csrfCookie), stored: csrf },
    }),
  );

  const toasts = makeToasts(clock);
  const banner = makeBanner();
  const theme = makeTheme(page, store);
  const session = makeSession({ items, call, page, expired$ });
  const user$ = session.state$.pipe(
    map(userOf),
    distinctUntilChanged((a, b) => a?.email === b?.email),
  );
  const account = makeAccountDoor(call, user$);
  const signIn = makeSignIn({
    call,
    clock,
    session,
    welcome: () => toasts.show("success", "Logged in successfully"),
    payments: configuration.flags?.payments ?? false,
  });

  const allowsSockets = configuration.flags?.websockets ?? true;
  const realtime = makeRealtime({
    socket: ports.socket,
    clock,
    random,
    baseAddress,
    token: items.token,
    /** Another user gets another connection. */
    wanted$: user$.pipe(switchMap((user) => (user && allowsSockets ? from([false, true]) : of(false)))),
  });
  /** What was missed while there was no connection. */
  const resumed$ = realtime.state$.pipe(
    filter((state) => state === "connected"),
    map((): DataUpdate => ({ resource: "masks", action: "resumed" })),
  );
  const masks = makeMasks({
    call,
    clock,
    store,
    page,
    online$: connectivity.online$,
    toast: toasts.show,
    user$,
    updates$: merge(realtime.updates$, resumed$),
    mayChoosePrefix$: combineState([account.account$, session.state$], (known, state) =>
      mayChoosePrefix((known ?? userOf(state))?.subscription.tier ?? "free"),
    ),
  });

  const begin = (running: Subscription): void => {
    for (const part of [theme, toasts, realtime, account, masks, signIn, session]) running.add(part.start());
    void learnCsrfToken(call, items.token, csrf.write)();
  };
  const fail = (error: unknown): void => {
    banner.show(startFailure);
    reporter.report(error, { doing: "start" });
  };
  return {
    configuration,
    session,
    signIn,
    masks,
    account,
    toasts,
    banner,
    theme,
    realtime,
    page,
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
