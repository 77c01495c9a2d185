import type { Task } from "fp-ts/lib/Task.js";
import { EMPTY, filter, map, merge, type Observable, Subscription } from "rxjs";
import type { AccountResource } from "../account/account.ts";
import type { AccountData } from "../account/accountData.ts";
import type { AddressChangeDeps } from "../account/addressChange.ts";
import type { Imports } from "../account/imports.ts";
import type { Profile } from "../account/profile.ts";
import type { Call } from "../api/call.ts";
import type { ClientConfiguration, flagsOf } from "../api/configuration.ts";
import type { Archive } from "../archive/archive.ts";
import type { Billing } from "../billing/billing.ts";
import type { ContentAccess } from "../contentAccess/contentAccess.ts";
import type { Encryption } from "../encryption/encryption.ts";
import type { Insights } from "../insights/insights.ts";
import { createLate, type FetchPart, type Late, type LateState } from "../kernel/late.ts";
import { createState, type State } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Masks } from "../masks/masks.ts";
import type { Ports } from "../ports/ports.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { SocketClient } from "../realtime/socketClient.ts";
import type { OpenSessions } from "../session/openSessions.ts";
import type { TwoFactor } from "../session/twoFactor.ts";
import type { User } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import type { RulesPart } from "./rulesPart.ts";
import type { Banner } from "./toastsAndBanner.ts";

/** A feature whose code is loaded when it is first needed after sign-in. */
export interface LatePart<A> {
  readonly state$: State<LateState<A>>;
  /** Loads the feature and retries while loading fails. */
  readonly want: () => void;
  /** Retries a failed load immediately. */
  readonly retry: () => void;
}

/** What the features are created with: the ports and the parts that are loaded at startup. */
export interface LateDeps extends Ports, Pick<AddressChangeDeps, "session" | "forgetPendingGets"> {
  readonly fetchPart: FetchPart;
  readonly configuration: ClientConfiguration;
  readonly flags: ReturnType<typeof flagsOf>;
  readonly call: Call;
  readonly store: Store;
  readonly toast: ShowToast;
  readonly banner: Banner;
  readonly account: AccountResource;
  readonly masks: Masks;
  /** Ends the session. */
  readonly logOut: () => Task<void>;
  /** Emits the signed-in user, or null. */
  readonly user$: Observable<User | null>;
  /** Returns the signed-in user's address; null when nobody is signed in. */
  readonly owner: () => string | null;
  /** Emits the changes on the server that arrive over the socket. */
  readonly updates$: Observable<DataUpdate>;
  /** Returns the token that proves the mailbox of a new user; empty outside a sign-up. */
  readonly signUpTicket: () => string;
  /** Sends a message over the socket and waits for its reply; fails immediately without a connection. */
  readonly request: SocketClient["request"];
}

export interface LateParts {
  readonly archive: LatePart<Archive>;
  /** Loaded at sign-in, because it sends changes that were made offline. */
  readonly rules: LatePart<RulesPart>;
  readonly twoFactor: LatePart<TwoFactor>;
  readonly encryption: LatePart<Encryption>;
  readonly openSessions: LatePart<OpenSessions>;
  readonly accountData: LatePart<AccountData>;
  readonly profile: LatePart<Profile>;
  readonly imports: LatePart<Imports>;
  readonly billing: LatePart<Billing>;
  readonly insights: LatePart<Insights>;
  readonly contentAccess: LatePart<ContentAccess>;
}

type Running = { readonly start: () => Subscription };

/** The `start` of a feature that runs nothing by itself. */
const resting: Running = { start: () => Subscription.EMPTY };

/** The code that every signed-in user needs; it is preloaded for a visitor who was signed in before. */
export const loadMasks = () => import("../masks/masks.ts");
export const loadLive = () => import("./live.ts");

/**
 * Makes the late features; each entry is an import and what is made of it. To add one: a front door
 * `makeX(needs): X & { start }` in core/x/x.ts (`resting` where nothing runs), an entry here and in `LateParts`, an import beside the others in
 * test/fakes/appOnFakes.ts; the page meets it as `app.x` by `WithPart` (web/loading) or `useLatePart` (web/binding).
 */
export const createLateParts = (deps: LateDeps): LateParts & { readonly started: readonly Running[] } => {
  const started: Running[] = [];
  /** Creates a feature that is loaded by `want` or when `wanted$` emits true. */
  const part = <M, A extends Running>(
    load: () => Promise<M>,
    make: (module: M) => A,
    wanted$: Observable<boolean> = EMPTY,
  ): LatePart<A> => {
    const isWanted$ = createState(false);
    const late: Late<A> = createLate({
      wanted$: merge(isWanted$, wanted$),
      fetch: deps.fetchPart(load),
      make,
      scheduler: deps.clock.scheduler,
      again$: deps.connectivity.online$.pipe(filter((online) => online)),
    });
    started.push(late);
    return { state$: late.state$, want: () => isWanted$.set(true), retry: late.retry };
  };
  const { account } = deps;
  const signedIn$ = deps.user$.pipe(map((user) => user !== null));
  return {
    rules: part(
      () => import("./rulesPart.ts"),
      ({ createRulesPart }) => createRulesPart({ ...deps, online$: deps.connectivity.online$ }),
      signedIn$,
    ),
    archive: part(
      () => import("../archive/archive.ts"),
      ({ createArchive }) => createArchive(deps),
    ),
    twoFactor: part(
      () => import("../session/twoFactor.ts"),
      ({ createTwoFactor }) =>
        createTwoFactor({ ...deps, account$: account.account$, refreshAccount: account.refresh }),
    ),
    encryption: part(
      () => import("../encryption/encryption.ts"),
      ({ createEncryption }) => createEncryption({ ...deps, refreshAccount: account.refresh }),
    ),
    openSessions: part(
      () => import("../session/openSessions.ts"),
      ({ createOpenSessions }) => createOpenSessions(deps),
    ),
    accountData: part(
      () => import("../account/accountData.ts"),
      ({ createAccountData }) => ({ ...createAccountData(deps), ...resting }),
    ),
    profile: part(
      () => import("../account/profile.ts"),
      ({ createProfile }) => createProfile(deps),
    ),
    imports: part(
      () => import("../account/imports.ts"),
      ({ createImports }) => createImports(deps),
    ),
    billing: part(
      () => import("../billing/billing.ts"),
      ({ createBilling }) => ({ ...createBilling(deps), ...resting }),
    ),
    insights: part(
      () => import("../insights/insights.ts"),
      ({ createInsights }) => createInsights(deps),
    ),
    contentAccess: part(
      () => import("../contentAccess/contentAccess.ts"),
      ({ createContentAccess }) => createContentAccess(deps),
    ),
    started,
  };
};
