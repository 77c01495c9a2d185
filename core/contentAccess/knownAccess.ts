import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { type CachedGet, type Got, getAnew } from "../requests/cachedGet.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { makeCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { ContentAccessAnswer, contentAccessFallback } from "./access.ts";
import type { AiFeature } from "./aiFeature.ts";
import { getContentAccess, getPreferences, Preferences } from "./contentAccessEndpoints.ts";
import { failing } from "./contentAccessSentences.ts";
import { isOn, type Known, nothingKnown, withFeature } from "./contentAccessView.ts";

export interface KnownAccessNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  /** In whose name answers are kept; null: nobody is signed in. */
  readonly owner: () => string | null;
}

/** What this page knows of the user's content access and preferences, from the server or from before. */
export interface KnownAccess {
  readonly known$: State<Known>;
  /** Asks the server; what was kept is shown when it cannot be reached. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Asks for the preferences, which there are only while content access is on. */
  readonly refreshPreferences: () => TE.TaskEither<Problem, void>;
  /** Whatever was asked before is behind the times from now on; the answer tells whether this still is the last. */
  readonly change: () => () => boolean;
  /** Shown before the server has it. */
  readonly showFeature: (feature: AiFeature, isWanted: boolean) => void;
  /** The server has it. */
  readonly accessSaved: (access: ContentAccessAnswer) => void;
  readonly preferencesSaved: (preferences: Preferences) => void;
  /** Begins with what was kept for whoever is signed in now. */
  readonly recall: () => void;
}

export const makeKnownAccess = ({ call, clock, store, owner }: KnownAccessNeeds): KnownAccess => {
  const known$ = makeState(nothingKnown);
  let changes = 0;
  const isTimely = (): (() => boolean) => {
    const asked = changes;
    return () => asked === changes;
  };
  const change = (): (() => boolean) => {
    changes += 1;
    return isTimely();
  };

  const accessGet: CachedGet<ContentAccessAnswer> = {
    cache: makeCache(store, clock, storedKeys.cachedContentAccess, ContentAccessAnswer),
    owner,
    ask: call(getContentAccess)(),
  };
  const preferencesGet: CachedGet<Preferences> = {
    cache: makeCache(store, clock, storedKeys.cachedAiPreferences, Preferences),
    owner,
    ask: call(getPreferences)(),
  };
  const keep = <A>({ cache }: CachedGet<A>, value: A): void => {
    const who = owner();
    if (who !== null) cache.write(who, value);
  };

  const showPreferences =
    (timely: () => boolean) =>
    ({ value }: Got<Preferences>): void => {
      if (timely()) known$.update((known) => ({ ...known, preferences: value }));
    };
  const readPreferences: TE.TaskEither<Problem, void> = () => {
    const timely = isTimely();
    return pipe(
      getAnew(preferencesGet),
      TE.map(showPreferences(timely)),
      TE.mapLeft((failure) => problemOf(failing.readPreferences(failure))(failure)),
    )();
  };
  const refreshPreferences = (): TE.TaskEither<Problem, void> =>
    isOn(known$.value) ? readPreferences : TE.right(undefined);

  /** Nobody knows what the answer would have been: shown, and neither kept nor sent (D46). */
  const standIn = (failure: Failure): TE.TaskEither<Failure, Got<ContentAccessAnswer> | null> => {
    if (failure.kind !== "cancelled") return TE.left(failure);
    if (known$.value.access === null)
      known$.update((known) => ({ ...known, access: contentAccessFallback, origin: "fallback" }));
    return TE.right(null);
  };
  const showAccess =
    (timely: () => boolean) =>
    (got: Got<ContentAccessAnswer> | null): void => {
      if (got === null || !timely()) return;
      known$.update((known) => ({ ...known, access: got.value, origin: got.isOld ? "old" : "server" }));
    };

  return {
    known$,
    refresh: () => () => {
      const timely = isTimely();
      return pipe(
        getAnew(accessGet),
        TE.orElse(standIn),
        TE.map(showAccess(timely)),
        TE.mapLeft((failure) => problemOf(failing.readAccess(failure))(failure)),
        TE.chain(refreshPreferences),
      )();
    },
    refreshPreferences,
    change,
    showFeature: (feature, isWanted) => known$.update((known) => withFeature(known, feature, isWanted)),
    accessSaved: (access) => {
      keep(accessGet, access);
      known$.update((known) => ({
        access,
        origin: "server",
        preferences: access.contentAccessEnabled ? known.preferences : null,
      }));
    },
    preferencesSaved: (preferences) => {
      keep(preferencesGet, preferences);
      known$.update((known) => ({ ...known, preferences }));
    },
    recall: () => {
      change();
      const who = owner();
      const access = who === null ? null : accessGet.cache.read(who);
      const preferences = who === null ? null : preferencesGet.cache.read(who);
      known$.set({
        ...nothingKnown,
        access: access?.fresh ? access.value : null,
        preferences: access?.fresh && preferences?.fresh ? preferences.value : null,
      });
    },
  };
};
