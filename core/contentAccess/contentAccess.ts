import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { distinctUntilChanged, filter, map, merge, type Observable, Subscription, skip } from "rxjs";
import type { Call } from "../api/call.ts";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { orStale, Resource, type ResourceState } from "../kernel/resource.ts";
import { combineState, type State } from "../kernel/state.ts";
import { deferTask, mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Account, User } from "../session/user.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { AiFeature } from "./aiFeature.ts";
import {
  AnnouncedContentAccess,
  ContentAccessAnswer,
  contentAccessFallback,
  getContentAccess,
  getPreferences,
  mayAccessContent,
  Preferences,
  putContentAccess,
  putPreferences,
} from "./contentAccessEndpoints.ts";
import * as messages from "./contentAccessMessages.ts";
import { type ContentAccessView, isContentAccessOn } from "./contentAccessView.ts";

/** The user's content access settings (SG3–SG5). */
export interface ContentAccess {
  readonly view$: State<ContentAccessView>;
  /** Loads settings that are missing or older than 900 s; shows cached ones when the server cannot be reached. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Switches content access; switching on without the acknowledgment fails without a request. */
  readonly setEnabled: (isEnabled: boolean, isAcknowledged: boolean) => TE.TaskEither<Problem, void>;
  /** Switches a feature immediately and undoes it when the request fails. */
  readonly setFeature: (feature: AiFeature, isEnabled: boolean) => TE.TaskEither<Problem, void>;
}

export interface ContentAccessDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly account: {
    readonly account$: State<Account | null>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
}

const readAnnounced = ({ resource, entity }: DataUpdate): AnnouncedContentAccess | null =>
  resource === "content-access"
    ? E.toUnion(E.mapLeft(() => null)(AnnouncedContentAccess.decode(entity)))
    : null;

/** An account that is received whole changes content access only when its tier changes. */
const isRelevant = ({ resource, action, entity }: DataUpdate): boolean =>
  action === "resumed" ||
  ["content-access", "preferences"].includes(resource) ||
  (resource === "account" && entity === undefined);

const reject = (message: string): TE.TaskEither<Problem, never> =>
  TE.left({ message, fields: [], failure: invalid([]) });

const toProblem =
  (toMessages: (failure: Failure) => FallbackMessages) =>
  (failure: Failure): Problem =>
    problemOf(toMessages(failure))(failure);

const readAccessProblem = toProblem(messages.failureMessages.readAccess);
const saveAccessProblem = toProblem(messages.failureMessages.saveAccess);
const readPreferencesProblem = toProblem(messages.failureMessages.readPreferences);
const savePreferencesProblem = toProblem(messages.failureMessages.savePreferences);

/** After a canceled request the fallback values show; they are neither stored nor sent (D46). */
const toShownAccess = ({
  value,
  status,
  failure,
}: ResourceState<ContentAccessAnswer | null>): Pick<ContentAccessView, "access" | "origin"> =>
  value === null && failure?.kind === "cancelled"
    ? { access: contentAccessFallback, origin: "fallback" }
    : { access: value, origin: status === "stale" ? "old" : "server" };

export const createContentAccess = ({
  call,
  clock,
  store,
  toast,
  user$,
  updates$,
  account,
}: ContentAccessDeps): ContentAccess & { readonly start: () => Subscription } => {
  const access = new Resource<ContentAccessAnswer | null>({
    initial: null,
    fetch: call(getContentAccess)(),
    cache: createCache(store, clock, storedKeys.cachedContentAccess, ContentAccessAnswer),
  });
  const preferences = new Resource<Preferences | null>({
    initial: null,
    fetch: call(getPreferences)(),
    cache: createCache(store, clock, storedKeys.cachedAiPreferences, Preferences),
  });
  const view$ = combineState(
    [access.state$, preferences.state$, preferences.pending$, account.account$],
    (accessState, { value }, pending, accountDetails): ContentAccessView => ({
      ...toShownAccess(accessState),
      preferences: accessState.value === null ? null : value,
      pending,
      isEligible:
        accessState.value?.contentAccessEligible ??
        (accountDetails === null ? null : mayAccessContent(accountDetails.subscription.tier)),
    }),
  );

  const loadPreferences = (task: TE.TaskEither<Failure, void>): TE.TaskEither<Problem, void> =>
    deferTask(() =>
      isContentAccessOn(view$.value)
        ? pipe(orStale(preferences, task), mapResult(E.mapLeft(readPreferencesProblem)))
        : TE.right<Problem, void>(undefined),
    );
  const isFallback = (): boolean => view$.value.origin === "fallback";
  const loadBoth = (by: "load" | "loadIfOld"): TE.TaskEither<Problem, void> =>
    pipe(
      orStale(access, access[by]),
      TE.orElse((failure) => (isFallback() ? TE.right(undefined) : TE.left(readAccessProblem(failure)))),
      TE.chain(() => loadPreferences(preferences[by])),
    );
  const reload = loadBoth("load");
  const show = ({ preferences: chosen, ...answer }: AnnouncedContentAccess): void => {
    access.accept(() => answer);
    preferences.accept(() => (answer.contentAccessEnabled ? chosen : null));
  };
  const onAccessSaved = ({ contentAccessEnabled }: ContentAccessAnswer): void => {
    if (!contentAccessEnabled) preferences.put(() => null);
    toast("success", messages.settingsUpdated);
    startTask(account.refresh());
  };
  return {
    view$,
    refresh: () => loadBoth("loadIfOld"),
    setEnabled: (isEnabled, isAcknowledged) => {
      if (isEnabled && !isAcknowledged) return reject(messages.notAcknowledged);
      if (isFallback()) return reject(messages.accessUnknown);
      return pipe(
        access.change({
          send: call(putContentAccess)({
            body: {
              contentAccessEnabled: isEnabled,
              ...(isEnabled ? { acknowledgment: isAcknowledged } : {}),
            },
            silent: true,
          }),
          settle: (_, answer) => answer,
        }),
        access.owner.tap(E.match(() => {}, onAccessSaved)),
        TE.bimap(saveAccessProblem, () => undefined),
        TE.chainFirstTaskK(() => loadPreferences(preferences.load)),
      );
    },
    setFeature: (feature, isEnabled) => {
      if (!isContentAccessOn(view$.value)) return reject(messages.accessNeededToUpdate);
      return pipe(
        preferences.change({
          key: feature,
          expect: (shown) => shown && { ...shown, features: { ...shown.features, [feature]: isEnabled } },
          send: call(putPreferences)({
            body: { preferences: { features: { [feature]: isEnabled } } },
            silent: true,
          }),
          settle: (_, answer) => answer,
        }),
        preferences.owner.tap(
          E.match(
            (failure: Failure) => toast("error", savePreferencesProblem(failure).message),
            () => toast("success", messages.preferencesUpdated),
          ),
        ),
        mapResult(E.bimap(savePreferencesProblem, () => undefined)),
      );
    },
    start: () => {
      const subscription = new Subscription();
      const tierChanges$ = account.account$.pipe(
        map((current) => current?.subscription.tier),
        filter((tier) => tier !== undefined),
        distinctUntilChanged(),
        skip(1),
      );
      subscription.add(
        user$.subscribe((user) => {
          access.setOwner(user?.email ?? null);
          preferences.setOwner(user?.email ?? null);
        }),
      );
      subscription.add(
        merge(updates$.pipe(filter(isRelevant), map(readAnnounced)), tierChanges$.pipe(map(() => null)))
          .pipe(filter(() => view$.value.access !== null))
          .subscribe((announced) => {
            if (announced === null) startTask(reload);
            else show(announced);
          }),
      );
      return subscription;
    },
  };
};
