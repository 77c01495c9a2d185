import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { distinctUntilChanged, filter, map, merge, type Observable, Subscription, skip } from "rxjs";
import type { Problem } from "../api/errorMessages.ts";
import { failureNotice } from "../api/failureNotices.ts";
import { type Failure, invalid, isUserNotified, orUnknown } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { FollowsTopics } from "../realtime/clientMessages.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { AiFeature } from "./aiFeature.ts";
import { ContentAccessData, type ContentAccessDataDeps, toProblem } from "./contentAccessData.ts";
import {
  AnnouncedContentAccess,
  type ContentAccessAnswer,
  type Preferences,
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

export interface ContentAccessDeps extends ContentAccessDataDeps {
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly account: ContentAccessDataDeps["account"] & {
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

const saveAccessProblem = toProblem(messages.failureMessages.saveAccess);
const savePreferencesProblem = toProblem(messages.failureMessages.savePreferences);

export const createContentAccess = (
  deps: ContentAccessDeps,
): ContentAccess & FollowsTopics & { readonly start: () => Subscription } => {
  const { call, toast, user$, updates$, account } = deps;
  const data = new ContentAccessData(deps);
  const { access, preferences, view$ } = data;

  const onAccessSaved = (): void => {
    if (access.state$.value.value?.contentAccessEnabled !== true) preferences.put(() => null);
    toast("success", messages.settingsUpdated);
    startTask(account.refresh());
  };
  return {
    topics: [{ resource: "content-access" }],
    view$,
    refresh: () => data.load("loadIfOld"),
    setEnabled: (isEnabled, isAcknowledged) => {
      if (isEnabled && !isAcknowledged) return reject(messages.notAcknowledged);
      if (data.isFallback()) return reject(messages.accessUnknown);
      return pipe(
        access.change({
          send: orUnknown(
            call(putContentAccess)({
              body: {
                contentAccessEnabled: isEnabled,
                ...(isEnabled ? { acknowledgment: isAcknowledged } : {}),
              },
            }),
          ),
          settle: (known, answer: ContentAccessAnswer | null) =>
            answer ?? {
              ...known,
              contentAccessEnabled: isEnabled,
              contentAccessAcknowledged: isAcknowledged || known?.contentAccessAcknowledged === true,
            },
        }),
        access.owner.tap(E.match(() => {}, onAccessSaved)),
        TE.bimap(saveAccessProblem, () => undefined),
        TE.chainFirstTaskK(() => data.loadPreferences()),
      );
    },
    setFeature: (feature, isEnabled) => {
      if (!isContentAccessOn(view$.value)) return reject(messages.accessNeededToUpdate);
      const expect = (shown: Preferences | null): Preferences | null =>
        shown && { ...shown, features: { ...shown.features, [feature]: isEnabled } };
      return pipe(
        preferences.change({
          key: feature,
          expect,
          send: orUnknown(
            call(putPreferences)({
              body: { preferences: { features: { [feature]: isEnabled } } },
            }),
          ),
          settle: (known, answer: Preferences | null) => answer ?? expect(known),
        }),
        preferences.owner.tap(
          E.match(
            (failure: Failure) => {
              const { message } = savePreferencesProblem(failure);
              if (!isUserNotified(failure) || message !== failureNotice(failure)) toast("error", message);
            },
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
      subscription.add(user$.subscribe((user) => data.setOwner(user?.email ?? null)));
      subscription.add(
        merge(updates$.pipe(filter(isRelevant), map(readAnnounced)), tierChanges$.pipe(map(() => null)))
          .pipe(filter(() => view$.value.access !== null))
          .subscribe((announced) => {
            if (announced === null) startTask(data.load("load"));
            else data.show(announced);
          }),
      );
      return subscription;
    },
  };
};
