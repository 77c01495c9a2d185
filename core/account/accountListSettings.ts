import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { concatMap, defer, EMPTY, map, merge, type Observable, Subject, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { attemptDelayMs } from "../kernel/attemptDelay.ts";
import { isRetryable } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult } from "../kernel/task.ts";
import {
  type ChangeListSettings,
  type KeptListSettings,
  keptListSettings,
  type MaskListSettings,
} from "../masks/maskListSettings.ts";
import { SharedListSettings } from "../masks/sharedListSettings.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Account } from "../session/user.ts";
import type { Store } from "../storage/store.ts";
import { updateProfile } from "./profileEndpoints.ts";

interface Deps {
  readonly call: Call;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly owner: () => string | null;
  readonly online$: State<boolean>;
  readonly account$: State<Account | null>;
  readonly refreshAccount: () => TaskEither<unknown, void>;
  readonly masks: {
    readonly settings$: State<MaskListSettings>;
    readonly changeSettings: ChangeListSettings;
  };
}

/** The longest time between two attempts to save a choice. */
const attemptEachMs = 120_000;

const isSame = (one: MaskListSettings, other: MaskListSettings): boolean =>
  one.sort === other.sort &&
  one.layout === other.layout &&
  one.pageSize.cards === other.pageSize.cards &&
  (one.isReversed ?? false) === (other.isReversed ?? false) &&
  one.columns.join() === other.columns.join();

/**
 * Keeps the order and layout of the list in the account, so that all devices show it alike. What was chosen last counts: a
 * choice on this device is saved as soon as the server can be reached, and stays until then; without one, the list is shown as
 * the account or another tab has it. Settings that only newer versions know are left alone.
 */
export const createAccountListSettings = ({
  call,
  clock,
  random,
  store,
  owner,
  masks,
  account$,
  refreshAccount,
  online$,
}: Deps) => {
  const { settings$ } = masks;
  const kept = keptListSettings(store);
  /** The settings as the account or another tab has them. */
  let elsewhere = settings$.value;
  const isChosenHere = (): boolean => !isSame(settings$.value, elsewhere);
  /** True if this tab, another one or an earlier visit has a choice that the account may not have. */
  const isUnsaved = (): boolean => isChosenHere() || kept.read()?.unsavedOf === owner();
  const take = ({ unsavedOf = "", ...settings }: KeptListSettings): void => {
    elsewhere = settings;
    if (isChosenHere()) masks.changeSettings(settings, unsavedOf);
  };
  const again$ = new Subject<void>();
  let attempts = 0;
  let timer = Subscription.EMPTY;
  const tryLater = (): void => {
    attempts += 1;
    timer.unsubscribe();
    timer = clock.scheduler.schedule(
      () => again$.next(),
      attemptDelayMs(attempts, attemptEachMs, random.fraction()),
    );
  };
  /** Ends with the choice saved, or left for the next time; what was chosen meanwhile stays unsaved. */
  const save: T.Task<void> = deferTask(() => {
    const { unsavedOf: _, ...sent }: KeptListSettings = settings$.value;
    const markSaved = (): void => {
      attempts = 0;
      timer.unsubscribe();
      elsewhere = sent;
      if (!isChosenHere()) kept.write(sent);
    };
    return pipe(
      call(updateProfile)({ body: { maskListSettings: sent }, silent: true }),
      chainResult(
        E.match(
          // The device goes on with what the server refuses.
          (failure) => T.fromIO(() => (isRetryable(failure) ? tryLater() : markSaved())),
          () => {
            markSaved();
            return mapResult(() => {})(refreshAccount());
          },
        ),
      ),
    );
  });
  const saveIf = (isDue: () => boolean) => (): Observable<void> =>
    online$.value && isDue() ? defer(save) : EMPTY;
  return {
    start: (): Subscription => {
      const running = new Subscription();
      running.add(
        account$.subscribe((account) => {
          const chosen = account?.settings?.maskListSettings;
          if (SharedListSettings.is(chosen) && !isUnsaved()) take(chosen);
        }),
      );
      running.add(
        kept.changes$.subscribe((settings) => {
          if (settings !== null) take(settings);
        }),
      );
      running.add(() => timer.unsubscribe());
      const due$ = merge(
        settings$.pipe(map(() => saveIf(isChosenHere))),
        merge(online$, again$).pipe(map(() => saveIf(isUnsaved))),
      );
      running.add(due$.pipe(concatMap((saveDue) => saveDue())).subscribe());
      return running;
    },
  };
};
