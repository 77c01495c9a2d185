import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { type CachedQuery, createCache, type QueryResult, refetch } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { AiFeature } from "./aiFeature.ts";
import {
  ContentAccessAnswer,
  contentAccessFallback,
  getContentAccess,
  getPreferences,
  Preferences,
} from "./contentAccessEndpoints.ts";
import { failureMessages } from "./contentAccessMessages.ts";
import {
  type ContentAccessSnapshot,
  emptySnapshot,
  isContentAccessOn,
  withFeature,
} from "./contentAccessView.ts";

export interface ContentAccessStoreDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  /** The user that responses are cached for; null when nobody is signed in. */
  readonly owner: () => string | null;
}

/** The user's content access and preferences, from the server or the cache. */
export interface ContentAccessStore {
  readonly snapshot$: State<ContentAccessSnapshot>;
  /** Loads the settings; shows cached ones when the server cannot be reached. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Loads the preferences; does nothing while content access is off. */
  readonly refreshPreferences: () => TE.TaskEither<Problem, void>;
  /**
   * Starts a change: responses to earlier requests are ignored. Returns a check whether no later change
   * started.
   */
  readonly startChange: () => () => boolean;
  /** Shows a feature as switched before the server confirms it. */
  readonly showFeature: (feature: AiFeature, isEnabled: boolean) => void;
  /** Stores the settings that the server has confirmed. */
  readonly saveAccess: (access: ContentAccessAnswer) => void;
  readonly savePreferences: (preferences: Preferences) => void;
  /** Restores the fresh cached settings of the signed-in user. */
  readonly restoreFromCache: () => void;
}

export const createContentAccessStore = ({
  call,
  clock,
  store,
  owner,
}: ContentAccessStoreDeps): ContentAccessStore => {
  const snapshot$ = createState(emptySnapshot);
  let changes = 0;
  const trackChanges = (): (() => boolean) => {
    const changesAtRequest = changes;
    return () => changesAtRequest === changes;
  };
  const startChange = (): (() => boolean) => {
    changes += 1;
    return trackChanges();
  };

  const accessQuery: CachedQuery<ContentAccessAnswer> = {
    cache: createCache(store, clock, storedKeys.cachedContentAccess, ContentAccessAnswer),
    owner,
    request: call(getContentAccess)(),
  };
  const preferencesQuery: CachedQuery<Preferences> = {
    cache: createCache(store, clock, storedKeys.cachedAiPreferences, Preferences),
    owner,
    request: call(getPreferences)(),
  };
  const writeCache = <A>({ cache }: CachedQuery<A>, value: A): void => {
    const user = owner();
    if (user !== null) cache.write(user, value);
  };

  const showPreferences =
    (isCurrent: () => boolean) =>
    ({ value }: QueryResult<Preferences>): void => {
      if (isCurrent()) snapshot$.update((snapshot) => ({ ...snapshot, preferences: value }));
    };
  const loadPreferences: TE.TaskEither<Problem, void> = () => {
    const isCurrent = trackChanges();
    return pipe(
      refetch(preferencesQuery),
      TE.map(showPreferences(isCurrent)),
      TE.mapLeft((failure) => problemOf(failureMessages.readPreferences(failure))(failure)),
    )();
  };
  const refreshPreferences = (): TE.TaskEither<Problem, void> =>
    isContentAccessOn(snapshot$.value) ? loadPreferences : TE.right(undefined);

  /** Shows the fallback values after a canceled request; they are neither stored nor sent (D46). */
  const showFallback = (
    failure: Failure,
  ): TE.TaskEither<Failure, QueryResult<ContentAccessAnswer> | null> => {
    if (failure.kind !== "cancelled") return TE.left(failure);
    if (snapshot$.value.access === null)
      snapshot$.update((snapshot) => ({ ...snapshot, access: contentAccessFallback, origin: "fallback" }));
    return TE.right(null);
  };
  const showAccess =
    (isCurrent: () => boolean) =>
    (response: QueryResult<ContentAccessAnswer> | null): void => {
      if (response === null || !isCurrent()) return;
      snapshot$.update((snapshot) => ({
        ...snapshot,
        access: response.value,
        origin: response.isStale ? "old" : "server",
      }));
    };

  return {
    snapshot$,
    refresh: () => () => {
      const isCurrent = trackChanges();
      return pipe(
        refetch(accessQuery),
        TE.orElse(showFallback),
        TE.map(showAccess(isCurrent)),
        TE.mapLeft((failure) => problemOf(failureMessages.readAccess(failure))(failure)),
        TE.chain(refreshPreferences),
      )();
    },
    refreshPreferences,
    startChange,
    showFeature: (feature, isEnabled) =>
      snapshot$.update((snapshot) => withFeature(snapshot, feature, isEnabled)),
    saveAccess: (access) => {
      writeCache(accessQuery, access);
      snapshot$.update((snapshot) => ({
        access,
        origin: "server",
        preferences: access.contentAccessEnabled ? snapshot.preferences : null,
      }));
    },
    savePreferences: (preferences) => {
      writeCache(preferencesQuery, preferences);
      snapshot$.update((snapshot) => ({ ...snapshot, preferences }));
    },
    restoreFromCache: () => {
      startChange();
      const user = owner();
      const access = user === null ? null : accessQuery.cache.read(user);
      const preferences = user === null ? null : preferencesQuery.cache.read(user);
      snapshot$.set({
        ...emptySnapshot,
        access: access?.isFresh ? access.value : null,
        preferences: access?.isFresh && preferences?.isFresh ? preferences.value : null,
      });
    },
  };
};
