import type { Task } from "fp-ts/lib/Task.js";
import { defer, EMPTY, filter, map, type Observable, Subscription, switchMap, tap } from "rxjs";
import { type AccountResource, createAccountResource } from "../account/account.ts";
import { createAddressChange } from "../account/addressChange.ts";
import { followAccount } from "../account/followAccount.ts";
import type { ClientConfiguration, flagsOf } from "../api/configuration.ts";
import { ageMs } from "../kernel/age.ts";
import { combineState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { createMasks, type Masks } from "../masks/masks.ts";
import { createInbox, type Inbox } from "../notifications/inbox.ts";
import { createHttpNotifications } from "../notifications/notificationGateway.ts";
import type { Ports } from "../ports/ports.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { createRealtime, type Realtime } from "../realtime/realtime.ts";
import type { SocketClient } from "../realtime/socketClient.ts";
import { createSocketNotifications, notificationEvents } from "../realtime/socketNotifications.ts";
import { createProofQuestions, type ProofQuestions } from "../session/proofQuestions.ts";
import type { SessionControl, SessionState } from "../session/session.ts";
import type { User } from "../session/user.ts";
import { plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { limitsOf } from "../tiers/tier.ts";
import type { AfterPaint } from "./afterPaint.ts";
import { createFeatures, type Features, type GetFeature } from "./features.ts";
import type { HttpClients } from "./httpClients.ts";
import type { Banner } from "./toastsAndBanner.ts";
import { createUnsentChanges } from "./unsentChanges.ts";

/** The dependencies of a session on the app. */
export interface SignedInDeps extends Ports, Omit<HttpClients, "refreshCsrfToken"> {
  readonly configuration: ClientConfiguration;
  readonly flags: ReturnType<typeof flagsOf>;
  readonly baseAddress: string;
  readonly store: Store;
  readonly session: SessionControl;
  readonly token: () => string | null;
  /** Emits the signed-in user, and null at the end of the session. */
  readonly user$: Observable<User | null>;
  /** Returns the signed-in user's address; null when nobody is signed in. */
  readonly owner: () => string | null;
  readonly toast: ShowToast;
  readonly banner: Banner;
  readonly afterPaint: AfterPaint;
}

/** The dependencies of the features of single screens. */
export interface FeatureDeps extends SignedInDeps {
  readonly masks: Masks;
  readonly account: AccountResource;
  readonly account$: AccountResource["account$"];
  readonly refreshAccount: AccountResource["refresh"];
  /** Emits the changes on the server that arrive over the socket; a first connection only to who has waited for it long. */
  readonly updates$: Observable<DataUpdate>;
  readonly online$: State<boolean>;
  /** The socket as it is, and what happened to it. */
  readonly connection: Pick<SocketClient, "state$" | "history$">;
  /** Sends a request over the socket. */
  readonly request: SocketClient["request"];
  /** Receives the changes of a topic over the socket until the returned function is called. */
  readonly followTopic: SocketClient["subscribeTo"];
  readonly logOut: () => Task<void>;
}

/** The states and use cases of a signed-in user. */
export interface SignedIn {
  readonly masks: Masks;
  readonly account: AccountResource;
  readonly notifications: Omit<Inbox, "start">;
  readonly realtime: Realtime;
  /** The question whether it is the user, which a change waits for. */
  readonly proofQuestion$: ProofQuestions["question$"];
  /** Returns a feature of one screen, such as `feature(createInsights)`. */
  readonly feature: GetFeature<FeatureDeps>;
  /** Returns such a feature for a screen, which keeps it up to date only while it is shown. */
  readonly shownFeature: Features<FeatureDeps>["getShown"];
  /** True if the user has changes of rules that are not on the server; a logout deletes them. */
  readonly hasUnsentRules: () => boolean;
  /** True if the user has masks or changes of masks that the server does not have yet; a logout deletes them. */
  readonly hasWaitingMasks: () => boolean;
  /** True if a logout deletes private keys, which only a backup can restore. */
  readonly deletesPrivateKeys: () => boolean;
  /** Starts everything; the subscription ends with the session. */
  readonly start: () => Subscription;
}

/** The time in which the socket is usually connected and its topics are subscribed, in milliseconds. */
const socketMs = 2_000;

/** Returns the plan that masks are made by: the account's, until it is loaded that of the session's user. */
const planOf = (account: AccountResource["account$"]["value"], session: SessionState) => {
  const user = account ?? (session.kind === "signed-in" ? session.user : null);
  const tier = user?.subscription.tier ?? "free";
  return { tier, maxMasks: account?.limits === undefined ? limitsOf[tier].masks : account.limits.maxMasks };
};

/** Creates what a user has from signing in to signing out. */
export const createSignedIn = (deps: SignedInDeps): SignedIn => {
  const { call, clock, random, store, session, user$ } = deps;
  const { online$ } = deps.connectivity;
  const running = new Subscription();
  const realtime = createRealtime({ ...deps, isAllowed: deps.flags.websockets });
  const { client } = realtime;
  const updates$ = realtime.updates$.pipe(tap(deps.forgetPendingGets));
  /**
   * The changes that make a screen load again. A connection of the socket soon after the screen was opened is none: it has just
   * loaded.
   */
  const changes$ = defer(() => {
    const openedAt = clock.now();
    return updates$.pipe(
      filter(({ action }) => action !== "connected" || ageMs(openedAt, clock.now()) > socketMs),
    );
  });
  const account = createAccountResource({ call, store, clock, user$ });
  const { account$ } = account;
  const notifications = createInbox({
    ...deps,
    httpGateway: createHttpNotifications(call),
    socketGateway: createSocketNotifications(client, random),
    events$: notificationEvents(client.messages$),
    isConnected$: realtime.isReady$,
    waitForSocketMs: deps.flags.websockets ? socketMs : 0,
  });
  const proofs = createProofQuestions();
  const masks = createMasks({
    ...deps,
    call: proofs.asking(call),
    online$,
    updates$,
    versions$: realtime.versions$.pipe(
      filter(({ resource }) => resource === "masks"),
      map(({ version }) => version),
    ),
    plan$: combineState([account$, session.state$], planOf),
  });
  const features = createFeatures<FeatureDeps>({
    deps: {
      ...deps,
      call: proofs.asking(call),
      masks,
      account,
      account$,
      refreshAccount: account.refresh,
      updates$: changes$,
      online$,
      connection: client,
      request: client.request,
      followTopic: client.subscribeTo,
      logOut: session.logOut,
    },
    running,
    followTopic: client.subscribeTo,
    scheduler: clock.scheduler,
  });
  const waitingMasks = createUnsentChanges({
    ...deps,
    online$,
    key: storedKeys.waitingMasks,
    load: () => import("../masks/waitingMasks.ts"),
    use: ({ createWaitingMasks }) => features.get(createWaitingMasks),
  });
  const rules = createUnsentChanges({
    ...deps,
    online$,
    key: storedKeys.pendingRulesSync,
    load: () => import("./rulesAndSync.ts"),
    use: ({ createRulesAndSync }) => features.getShown(createRulesAndSync),
  });
  const keyOwner = store.get(storedKeys.keyOwner, plainText);
  const startRest = (): void => {
    for (const part of [account, notifications, realtime, rules, waitingMasks]) running.add(part.start());
    running.add(
      user$
        .pipe(
          switchMap((user) => (user === null ? EMPTY : followAccount({ account, updates$, online$, clock }))),
        )
        .subscribe(),
    );
    running.add(createAddressChange(deps).followRemoteChanges(account$));
  };
  return {
    masks,
    account,
    notifications,
    realtime,
    proofQuestion$: proofs.question$,
    feature: features.get,
    shownFeature: features.getShown,
    hasUnsentRules: rules.hasUnsent,
    hasWaitingMasks: waitingMasks.hasUnsent,
    deletesPrivateKeys: () => keyOwner.read() !== null,
    start: () => {
      running.add(masks.start());
      running.add(deps.afterPaint(masks.listed$).subscribe(startRest));
      return running;
    },
  };
};
