import * as E from "fp-ts/lib/Either.js";
import { identity } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import {
  defer,
  EMPTY,
  filter,
  firstValueFrom,
  type Observable,
  of,
  race,
  Subscription,
  switchMap,
  timer,
} from "rxjs";
import type { Call } from "../api/call.ts";
import { type ClientConfiguration, flagsOf } from "../api/configuration.ts";
import { type Problem, startFailureMessage } from "../api/errorMessages.ts";
import { sessionExpired } from "../api/failureNotices.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Page } from "../ports/page.ts";
import type { Ports } from "../ports/ports.ts";
import type { Session } from "../session/session.ts";
import { SignIn } from "../session/signIn/signIn.ts";
import { createSignInMemory } from "../session/signIn/signInMemory.ts";
import { createStore } from "../storage/store.ts";
import { outdatedKeys } from "../storage/storedKeys.ts";
import { createAfterPaint } from "./afterPaint.ts";
import { createGetFeature, type GetFeature } from "./features.ts";
import { type AppCredentials, createSessionAndRequests } from "./sessionAndRequests.ts";
import type { SignedIn } from "./signedIn.ts";
import { createSignedInPart, type LoadSignedIn, loadSignedIn, type SignedInPart } from "./signedInLoader.ts";
import { createTheme, type ThemeChoice } from "./theme.ts";
import { type Banner, createBanner, createToasts, type Toasts } from "./toastsAndBanner.ts";

export interface AppOptions {
  readonly configuration: ClientConfiguration;
  /** The server's address, as in "https://mail.example.org"; the page's own origin when it is left out or empty. */
  readonly baseAddress?: string;
  /** The credentials for the server; a session that begins with signing in when left out. */
  readonly credentials?: AppCredentials;
  /** Timeout of a request in milliseconds; 15,000 when left out. */
  readonly timeoutMs?: number;
  /** Session storage key of this tab's copy of the user; "userData" when left out. */
  readonly userDataInTab?: string;
  /** Imports the code of the signed-in part; a plain import when left out. */
  readonly loadSignedIn?: LoadSignedIn;
  /**
   * Emits to a subscriber when what is shown at that time has been painted. What the first screen does not need is
   * started afterwards; everything is started at once when it is left out.
   */
  readonly painted$?: Observable<unknown>;
}

/** The dependencies of the features that a visitor can use too. They run nothing by themselves. */
export interface VisitorDeps extends Ports {
  readonly configuration: ClientConfiguration;
  readonly call: Call;
  readonly toast: ShowToast;
  /** Refreshes the account of a signed-in user; does nothing for a visitor. */
  readonly account: Pick<SignedIn["account"], "refresh">;
  /** Returns the token that proves the mailbox of a new user; empty outside a sign-up. */
  readonly signUpTicket: () => string;
  readonly signIn: Pick<SignIn, "signInBy" | "step$">;
}

/** The core as a shell sees it: the use cases it can call and the states it can show. */
export interface App {
  readonly configuration: ClientConfiguration;
  readonly session: Session;
  readonly signIn: SignIn;
  readonly toasts: Toasts;
  readonly banner: Banner;
  readonly theme: ThemeChoice;
  readonly page: Pick<Page, "narrow$" | "path$" | "navigate" | "copy">;
  readonly signedIn: SignedInPart;
  /** Waits, for a moment only, until it is known what the first screen shows, so that it can be rendered at once. */
  readonly firstScreenKnown: Task<unknown>;
  /** Returns a feature that a visitor can use too: `feature(createPlanBilling)`. */
  readonly feature: GetFeature<VisitorDeps>;
  /** Starts all parts. The returned function stops them; the app can be started again afterwards. */
  readonly start: () => () => void;
}

/** The longest time that `firstScreenKnown` waits, in milliseconds. */
const firstScreenWithinMs = 300;

/** Creates the app from its ports. Nothing runs until `start()`. */
export const createApp = (ports: Ports, options: AppOptions): App => {
  const { clock, page, reporter } = ports;
  const { configuration, baseAddress = "" } = options;
  const flags = flagsOf(configuration);
  const store = createStore(ports.storage);

  const afterPaint = createAfterPaint(options.painted$, clock);
  const toasts = createToasts(clock);
  const banner = createBanner();
  const theme = createTheme(page, store);

  const { httpClients, session, token, owner, user$ } = (options.credentials ?? createSessionAndRequests)({
    ports,
    store,
    showToastOnce: toasts.showOnce,
    isOfflineShown: () => loadedPart()?.realtime.isOffline$.value ?? false,
    isTraced: flags.performanceTracking,
    baseAddress,
    timeoutMs: options.timeoutMs,
    userDataInTab: options.userDataInTab,
    later$: defer(() => later$),
  });
  const { call } = httpClients;
  const signIn = new SignIn({
    memory: createSignInMemory(store, clock),
    call,
    clock,
    session,
    onSignedIn: () => toasts.show("success", "Logged in successfully"),
    payments: flags.payments,
    encryption: flags.encryption,
  });

  const signedIn = createSignedInPart({
    ...ports,
    ...httpClients,
    load: options.loadSignedIn ?? loadSignedIn,
    configuration,
    flags,
    baseAddress,
    store,
    session,
    token,
    user$,
    owner,
    toast: toasts.show,
    banner,
    afterPaint,
  });
  /** Emits when it is known what the first screen shows: the sign-in, or the list of masks. */
  const firstScreen$ = session.state$.pipe(
    filter(({ kind }) => kind !== "starting"),
    switchMap(({ kind }) => (kind === "signed-in" ? signedIn.state$ : of(null))),
    switchMap((part) =>
      part === null ? of(null) : part.kind === "loaded" ? part.value.masks.listed$ : EMPTY,
    ),
  );
  const later$ = afterPaint(firstScreen$);
  const loadedPart = (): SignedIn | undefined => {
    const { value } = signedIn.state$;
    return value.kind === "loaded" ? value.value : undefined;
  };
  const refreshAccount = (): TE.TaskEither<Problem, void> =>
    loadedPart()?.account.refresh() ?? TE.right(undefined);
  const visitorDeps: VisitorDeps = {
    ...ports,
    configuration,
    call,
    toast: toasts.show,
    account: { refresh: refreshAccount },
    signUpTicket: signIn.ticket,
    signIn,
  };

  const startParts = (running: Subscription): void => {
    store.remove(outdatedKeys);
    for (const part of [theme, toasts, signedIn, signIn, session]) running.add(part.start());
    running.add(user$.pipe(filter((user) => user === null)).subscribe(() => toasts.clear(sessionExpired)));
    running.add(later$.subscribe(() => void httpClients.refreshCsrfToken()));
  };
  const onStartFailure = (error: unknown): void => {
    banner.show(startFailureMessage);
    reporter.report(error, { doing: "start" });
  };
  return {
    configuration,
    session,
    signIn,
    toasts,
    banner,
    theme,
    page,
    signedIn,
    firstScreenKnown: () => firstValueFrom(race(firstScreen$, timer(firstScreenWithinMs, clock.scheduler))),
    feature: createGetFeature(visitorDeps, new Subscription()),
    start: () => {
      const running = new Subscription();
      E.getOrElse(onStartFailure)(E.tryCatch(() => startParts(running), identity));
      return () => running.unsubscribe();
    },
  };
};
