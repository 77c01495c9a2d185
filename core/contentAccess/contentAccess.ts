import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import type { User } from "../account/user.ts";
import { type Failure, invalid, isCancelled } from "../kernel/failure.ts";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { type CachedGet, type Got, getAnew } from "../requests/cachedGet.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { makeCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { ToastKind } from "../toasts/toast.ts";
import { ContentAccess, contentAccessFallback, mayAccessContent } from "./access.ts";
import type { AiFeature } from "./aiFeature.ts";
import * as endpoints from "./contentAccessEndpoints.ts";
import * as sentences from "./contentAccessSentences.ts";
import { type ContentAccessView, isOn, nothingKnown, withFeature } from "./contentAccessView.ts";
import { makeSetFeature } from "./setFeature.ts";

/** Whether the server may look at what mail says, and what for (SG3–SG5). */
export interface ContentAccessDoor {
  readonly view$: State<ContentAccessView>;
  /** Asks the server; what was kept is shown when it cannot be reached. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Switching on needs the acknowledgement of the privacy notice; without it nothing is sent. */
  readonly setEnabled: (isEnabled: boolean, isAcknowledged: boolean) => TE.TaskEither<Problem, void>;
  /** Shown at once, and taken back when the server says no. */
  readonly setFeature: (feature: AiFeature, isWanted: boolean) => TE.TaskEither<Problem, void>;
}

export interface ContentAccessNeeds {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly toast: (kind: ToastKind, text: string) => void;
  readonly user$: Observable<User | null>;
  readonly owner: () => string | null;
  readonly updates$: Observable<DataUpdate>;
  readonly account: {
    readonly account$: State<Account | null>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
}

const none: ReadonlySet<AiFeature> = new Set();

const refuse = (sentence: string): TE.TaskEither<Problem, never> =>
  TE.left({ sentence, fields: [], failure: invalid([]) });

export const makeContentAccess = (
  needs: ContentAccessNeeds,
): ContentAccessDoor & { readonly start: () => Subscription } => {
  const { call, clock, store, toast, owner, account } = needs;
  const known$ = makeState(nothingKnown);
  const pending$ = makeState(none);
  /** What was asked before the last change was sent, or for another user, is behind the times. */
  let changes = 0;
  const isTimely = (): (() => boolean) => {
    const asked = changes;
    return () => asked === changes;
  };

  const accessGet: CachedGet<ContentAccess> = {
    cache: makeCache(store, clock, storedKeys.cachedContentAccess, ContentAccess),
    owner,
    ask: call(endpoints.getContentAccess)(),
  };
  const preferencesGet: CachedGet<endpoints.Preferences> = {
    cache: makeCache(store, clock, storedKeys.cachedAiPreferences, endpoints.Preferences),
    owner,
    ask: call(endpoints.getPreferences)(),
  };
  const keep = <A>({ cache }: CachedGet<A>, value: A): void => {
    const who = owner();
    if (who !== null) cache.write(who, value);
  };

  const showPreferences =
    (timely: () => boolean) =>
    ({ value }: Got<endpoints.Preferences>): void => {
      if (timely()) known$.update((known) => ({ ...known, preferences: value }));
    };
  const readPreferences: TE.TaskEither<Problem, void> = () => {
    const timely = isTimely();
    return pipe(
      getAnew(preferencesGet),
      TE.map(showPreferences(timely)),
      TE.mapLeft((failure) => problemOf(sentences.failing.readPreferences(failure))(failure)),
    )();
  };
  const whenOn = (): TE.TaskEither<Problem, void> =>
    isOn(known$.value) ? readPreferences : TE.right(undefined);

  /** Nobody knows what the answer would have been: shown, and neither kept nor sent (D46). */
  const standIn = (failure: Failure): TE.TaskEither<Failure, Got<ContentAccess> | null> => {
    if (!isCancelled(failure)) return TE.left(failure);
    if (known$.value.access === null)
      known$.update((known) => ({ ...known, access: contentAccessFallback, origin: "fallback" }));
    return TE.right(null);
  };
  const showAccess =
    (timely: () => boolean) =>
    (got: Got<ContentAccess> | null): void => {
      if (got === null || !timely()) return;
      known$.update((known) => ({ ...known, access: got.value, origin: got.isOld ? "old" : "server" }));
    };
  const refresh = (): TE.TaskEither<Problem, void> => () => {
    const timely = isTimely();
    return pipe(
      getAnew(accessGet),
      TE.orElse(standIn),
      TE.map(showAccess(timely)),
      TE.mapLeft((failure) => problemOf(sentences.failing.readAccess(failure))(failure)),
      TE.chain(whenOn),
    )();
  };

  const setEnabled: ContentAccessDoor["setEnabled"] = (isEnabled, isAcknowledged) => {
    if (isEnabled && !isAcknowledged) return refuse(sentences.notAcknowledged);
    if (known$.value.origin === "fallback") return refuse(sentences.notKnown);
    return () => {
      changes += 1;
      const timely = isTimely();
      const saved = (access: ContentAccess): void => {
        if (!timely()) return;
        keep(accessGet, access);
        known$.update((known) => ({
          access,
          origin: "server",
          preferences: access.contentAccessEnabled ? known.preferences : null,
        }));
        toast("success", sentences.settingsUpdated);
        void account.refresh()();
      };
      return pipe(
        call(endpoints.putContentAccess)({
          body: { contentAccessEnabled: isEnabled, ...(isEnabled ? { acknowledgment: isAcknowledged } : {}) },
          quiet: true,
        }),
        TE.map(saved),
        TE.mapLeft((failure) => problemOf(sentences.failing.saveAccess(failure))(failure)),
        TE.chainFirst(() => TE.fromTask(() => whenOn()().then(() => undefined))),
      )();
    };
  };

  const switchFeature = makeSetFeature({
    send: (features) => call(endpoints.putPreferences)({ body: { preferences: { features } }, quiet: true }),
    show: (feature, isWanted) => known$.update((known) => withFeature(known, feature, isWanted)),
    settle: (preferences) => {
      keep(preferencesGet, preferences);
      known$.update((known) => ({ ...known, preferences }));
    },
    pending$,
    owner,
    toast,
  });
  const setFeature: ContentAccessDoor["setFeature"] = (feature, isWanted) => {
    if (!isOn(known$.value)) return refuse(sentences.accessNeededToUpdate);
    return () => {
      changes += 1;
      return switchFeature(feature, isWanted)();
    };
  };

  const recall = (): void => {
    changes += 1;
    pending$.set(none);
    const who = owner();
    const access = who === null ? null : accessGet.cache.read(who);
    const preferences = who === null ? null : preferencesGet.cache.read(who);
    known$.set({
      ...nothingKnown,
      access: access?.fresh ? access.value : null,
      preferences: access?.fresh && preferences?.fresh ? preferences.value : null,
    });
  };
  return {
    view$: combineState([known$, pending$, account.account$], (known, pending, details) => ({
      ...known,
      pending,
      isEligible:
        (known.origin === "fallback" ? undefined : known.access?.contentAccessEligible) ??
        (details === null ? null : mayAccessContent(details.subscription.tier)),
    })),
    refresh,
    setEnabled,
    setFeature,
    start: () => {
      const running = new Subscription();
      running.add(needs.user$.subscribe(recall));
      running.add(
        needs.updates$
          .pipe(
            filter(
              ({ resource }) =>
                known$.value.access !== null &&
                ["content-access", "preferences", "account"].includes(resource),
            ),
          )
          .subscribe(() => void refresh()()),
      );
      return running;
    },
  };
};
