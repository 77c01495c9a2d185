import type { Task } from "fp-ts/lib/Task.js";
import { EMPTY, filter, map, merge, type Observable, Subscription } from "rxjs";
import type { KnownAccount } from "./account/account.ts";
import type { User } from "./account/user.ts";
import type { AccountData } from "./accountData/accountData.ts";
import type { Archive } from "./archive/archive.ts";
import type { Banner } from "./banner/banner.ts";
import type { ContentAccess } from "./contentAccess/contentAccess.ts";
import type { ClientConfiguration } from "./contract/configuration.ts";
import type { flagsOf } from "./contract/flags.ts";
import type { Encryption } from "./encryption/encryption.ts";
import type { Imports } from "./imports/imports.ts";
import type { Insights } from "./insights/insights.ts";
import { type FetchPart, type Late, type LateState, makeLate } from "./kernel/late.ts";
import { makeState, type State } from "./kernel/state.ts";
import type { Masks } from "./masks/masks.ts";
import type { Payments } from "./payments/payments.ts";
import type { Ports } from "./ports/ports.ts";
import type { Profile } from "./profile/profile.ts";
import type { Link } from "./realtime/link.ts";
import type { DataUpdate } from "./realtime/messages.ts";
import type { Call } from "./requests/call.ts";
import type { RulesPart } from "./rulesPart.ts";
import type { NewAddressNeeds } from "./session/newAddress.ts";
import type { OpenSessions } from "./session/openSessions.ts";
import type { Store } from "./storage/store.ts";
import type { ShowToast } from "./toasts/toast.ts";
import type { TwoFactor } from "./twoFactor/twoFactor.ts";

/** A feature that is wanted only after sign-in, and whose code is fetched when it is first wanted. */
export interface LatePart<A> {
  readonly state$: State<LateState<A>>;
  /** From now on it is wanted: fetched, and tried again while it cannot be had. */
  readonly want: () => void;
  /** Tries at once to fetch what could not be had. */
  readonly retry: () => void;
}

/** What all of them stand on: the outside world, and the parts of the product that are there from the start. */
export interface LateNeeds extends Ports, Pick<NewAddressNeeds, "session" | "forgetAnswers"> {
  readonly fetchPart: FetchPart;
  readonly configuration: ClientConfiguration;
  readonly flags: ReturnType<typeof flagsOf>;
  readonly call: Call;
  readonly store: Store;
  readonly toast: ShowToast;
  readonly banner: Banner;
  readonly account: KnownAccount;
  readonly masks: Masks;
  /** Ends the session here. */
  readonly logOut: () => Task<void>;
  /** Announces another user, or nobody. */
  readonly user$: Observable<User | null>;
  /** Whose browser this is, by address; null when nobody is signed in. */
  readonly owner: () => string | null;
  /** What has changed on the server, as far as the socket tells. */
  readonly updates$: Observable<DataUpdate>;
  /** What proves the mailbox of somebody who signs up; empty when nobody does. */
  readonly signUpTicket: () => string;
  /** Says something over the socket and waits for its answer; fails at once when there is no connection. */
  readonly request: Link["request"];
}

export interface LateParts {
  readonly archive: LatePart<Archive>;
  /** Fetched at sign-in: what was changed without a network is sent as soon as there is one. */
  readonly rules: LatePart<RulesPart>;
  readonly twoFactor: LatePart<TwoFactor>;
  readonly encryption: LatePart<Encryption>;
  readonly openSessions: LatePart<OpenSessions>;
  readonly accountData: LatePart<AccountData>;
  readonly profile: LatePart<Profile>;
  readonly imports: LatePart<Imports>;
  readonly payments: LatePart<Payments>;
  readonly insights: LatePart<Insights>;
  readonly contentAccess: LatePart<ContentAccess>;
}

type Running = { readonly start: () => Subscription };

/** For a feature that does nothing before it is asked. */
const resting: Running = { start: () => Subscription.EMPTY };

/** What is wanted by everybody who is signed in: fetched ahead for a visitor who was signed in the last time. */
export const loadMasks = () => import("./masks/masks.ts");
export const loadLive = () => import("./live.ts");

/**
 * Makes the late features; each entry is an import and what is made of it. To add one: a front door
 * `makeX(needs): X & { start }` in core/x/x.ts (`resting` where nothing runs), an entry here and in `LateParts`, an import beside the others in
 * test/fakes/appOnFakes.ts; the page meets it as `app.x` by `WithPart` (web/loading) or `useLatePart` (web/binding).
 */
export const makeLateParts = (needs: LateNeeds): LateParts & { readonly started: readonly Running[] } => {
  const started: Running[] = [];
  /** Is fetched when it is asked for, and where `wanted$` says so. */
  const part = <M, A extends Running>(
    load: () => Promise<M>,
    make: (module: M) => A,
    wanted$: Observable<boolean> = EMPTY,
  ): LatePart<A> => {
    const isWanted$ = makeState(false);
    const late: Late<A> = makeLate({
      wanted$: merge(isWanted$, wanted$),
      fetch: needs.fetchPart(load),
      make,
      scheduler: needs.clock.scheduler,
      again$: needs.connectivity.online$.pipe(filter((online) => online)),
    });
    started.push(late);
    return { state$: late.state$, want: () => isWanted$.set(true), retry: late.retry };
  };
  const { account } = needs;
  const signedIn$ = needs.user$.pipe(map((user) => user !== null));
  return {
    rules: part(
      () => import("./rulesPart.ts"),
      ({ makeRulesPart }) => makeRulesPart({ ...needs, online$: needs.connectivity.online$ }),
      signedIn$,
    ),
    archive: part(
      () => import("./archive/archive.ts"),
      ({ makeArchive }) => makeArchive(needs),
    ),
    twoFactor: part(
      () => import("./twoFactor/twoFactor.ts"),
      ({ makeTwoFactor }) =>
        makeTwoFactor({ ...needs, account$: account.account$, refreshAccount: account.refresh }),
    ),
    encryption: part(
      () => import("./encryption/encryption.ts"),
      ({ makeEncryption }) => makeEncryption({ ...needs, refreshAccount: account.refresh }),
    ),
    openSessions: part(
      () => import("./session/openSessions.ts"),
      ({ makeOpenSessions }) => makeOpenSessions(needs),
    ),
    accountData: part(
      () => import("./accountData/accountData.ts"),
      ({ makeAccountData }) => ({ ...makeAccountData(needs), ...resting }),
    ),
    profile: part(
      () => import("./profile/profile.ts"),
      ({ makeProfile }) => makeProfile(needs),
    ),
    imports: part(
      () => import("./imports/imports.ts"),
      ({ makeImports }) => makeImports(needs),
    ),
    payments: part(
      () => import("./payments/payments.ts"),
      ({ makePayments }) => ({ ...makePayments(needs), ...resting }),
    ),
    insights: part(
      () => import("./insights/insights.ts"),
      ({ makeInsights }) => makeInsights(needs),
    ),
    contentAccess: part(
      () => import("./contentAccess/contentAccess.ts"),
      ({ makeContentAccess }) => makeContentAccess(needs),
    ),
    started,
  };
};
