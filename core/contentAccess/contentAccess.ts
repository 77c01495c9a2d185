import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { combineState, createState, type State, type WritableState } from "../kernel/state.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { Account, User } from "../session/user.ts";
import type { AiFeature, AiFeaturesChange } from "./aiFeature.ts";
import {
  type ContentAccessAnswer,
  mayAccessContent,
  type Preferences,
  putContentAccess,
  putPreferences,
} from "./contentAccessEndpoints.ts";
import * as messages from "./contentAccessMessages.ts";
import { type ContentAccessStoreDeps, createContentAccessStore } from "./contentAccessStore.ts";
import { type ContentAccessView, isContentAccessOn } from "./contentAccessView.ts";

interface SetFeatureDeps {
  readonly send: (features: AiFeaturesChange) => TE.TaskEither<Failure, Preferences>;
  readonly show: (feature: AiFeature, isEnabled: boolean) => void;
  readonly save: (preferences: Preferences) => void;
  readonly pending$: WritableState<ReadonlySet<AiFeature>>;
  readonly owner: () => string | null;
  readonly toast: ShowToast;
}

/** Creates the action that switches a feature immediately and undoes it when the request fails. */
const createSetFeature = (deps: SetFeatureDeps) => {
  const { send, show, save, pending$, owner, toast } = deps;
  const toProblem = (failure: Failure): Problem =>
    problemOf(messages.failureMessages.savePreferences(failure))(failure);
  return (feature: AiFeature, isEnabled: boolean): TE.TaskEither<Problem, void> =>
    () => {
      const user = owner();
      const onFailure = (failure: Failure): void => {
        show(feature, !isEnabled);
        toast("error", toProblem(failure).message);
      };
      const onSuccess = (preferences: Preferences): void => {
        save(preferences);
        toast("success", messages.preferencesUpdated);
      };
      show(feature, isEnabled);
      pending$.update((features) => new Set([...features, feature]));
      return send({ [feature]: isEnabled })().then((result) => {
        if (owner() === user) {
          pending$.update((features) => new Set([...features].filter((one) => one !== feature)));
          E.match(onFailure, onSuccess)(result);
        }
        return E.bimap(toProblem, () => undefined)(result);
      });
    };
};

/** The user's content access settings (SG3–SG5). */
export interface ContentAccess {
  readonly view$: State<ContentAccessView>;
  /** Loads the settings; shows cached ones when the server cannot be reached. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Switches content access; switching on without the acknowledgment fails without a request. */
  readonly setEnabled: (isEnabled: boolean, isAcknowledged: boolean) => TE.TaskEither<Problem, void>;
  /** Switches a feature immediately and undoes it when the request fails. */
  readonly setFeature: (feature: AiFeature, isEnabled: boolean) => TE.TaskEither<Problem, void>;
}

export interface ContentAccessDeps extends ContentAccessStoreDeps {
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly account: {
    readonly account$: State<Account | null>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
}

const none: ReadonlySet<AiFeature> = new Set();

const reject = (message: string): TE.TaskEither<Problem, never> =>
  TE.left({ message, fields: [], failure: invalid([]) });

export const createContentAccess = (
  deps: ContentAccessDeps,
): ContentAccess & { readonly start: () => Subscription } => {
  const { call, toast, owner, account } = deps;
  const accessStore = createContentAccessStore(deps);
  const { snapshot$ } = accessStore;
  const pending$ = createState(none);

  const setEnabled: ContentAccess["setEnabled"] = (isEnabled, isAcknowledged) => {
    if (isEnabled && !isAcknowledged) return reject(messages.notAcknowledged);
    if (snapshot$.value.origin === "fallback") return reject(messages.accessUnknown);
    return () => {
      const isLast = accessStore.startChange();
      const saved = (answer: ContentAccessAnswer): void => {
        if (!isLast()) return;
        accessStore.saveAccess(answer);
        toast("success", messages.settingsUpdated);
        void account.refresh()();
      };
      return pipe(
        call(putContentAccess)({
          body: { contentAccessEnabled: isEnabled, ...(isEnabled ? { acknowledgment: isAcknowledged } : {}) },
          silent: true,
        }),
        TE.map(saved),
        TE.mapLeft((failure) => problemOf(messages.failureMessages.saveAccess(failure))(failure)),
        TE.chainFirst(() =>
          TE.fromTask(() =>
            accessStore
              .refreshPreferences()()
              .then(() => undefined),
          ),
        ),
      )();
    };
  };

  const switchFeature = createSetFeature({
    send: (features) => call(putPreferences)({ body: { preferences: { features } }, silent: true }),
    show: accessStore.showFeature,
    save: accessStore.savePreferences,
    pending$,
    owner,
    toast,
  });
  const setFeature: ContentAccess["setFeature"] = (feature, isEnabled) => {
    if (!isContentAccessOn(snapshot$.value)) return reject(messages.accessNeededToUpdate);
    return () => {
      accessStore.startChange();
      return switchFeature(feature, isEnabled)();
    };
  };

  const isRelevant = ({ resource }: DataUpdate): boolean =>
    ["content-access", "preferences", "account"].includes(resource);
  return {
    view$: combineState([snapshot$, pending$, account.account$], (snapshot, pending, accountDetails) => ({
      ...snapshot,
      pending,
      isEligible:
        (snapshot.origin === "fallback" ? undefined : snapshot.access?.contentAccessEligible) ??
        (accountDetails === null ? null : mayAccessContent(accountDetails.subscription.tier)),
    })),
    refresh: accessStore.refresh,
    setEnabled,
    setFeature,
    start: () => {
      const subscription = new Subscription();
      subscription.add(
        deps.user$.subscribe(() => {
          pending$.set(none);
          accessStore.restoreFromCache();
        }),
      );
      subscription.add(
        deps.updates$
          .pipe(filter((update) => snapshot$.value.access !== null && isRelevant(update)))
          .subscribe(() => void accessStore.refresh()()),
      );
      return subscription;
    },
  };
};
