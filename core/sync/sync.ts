import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, merge, Subscription, skip } from "rxjs";
import { type Failure, unavailable } from "../kernel/failure.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { deferTask, onStarted } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Tabs } from "../ports/tabs.ts";
import { placeOfList } from "../rules/model/rulePlace.ts";
import {
  addChange,
  type PendingRecord,
  type RuleChange,
  rebaseRecord,
  retryDelayMs,
  type VersionedRules,
} from "./pendingRecord.ts";
import type { PendingStore } from "./pendingStore.ts";
import { createPushRules, type SendRules } from "./pushRules.ts";
import { findReplacedRules, type ReplacedRule } from "./replacedRules.ts";
import { isOffline, isRetryable } from "./saveFailure.ts";
import { createSaveWaiters, type SaveOutcome } from "./saveWaiters.ts";
import { createSyncRunner } from "./syncRunner.ts";
import type { SyncModel, SyncReason } from "./syncStep.ts";
import { roundEndToast, type SyncResult, type SyncView, toSyncView } from "./syncView.ts";

/** Stores rule changes locally and sends them when the server can be reached (SY1–SY4). */
export interface Sync {
  readonly view$: State<SyncView>;
  readonly get: (maskId: string) => PendingRecord | null;
  /**
   * Stores a change and sends it. `saved`: the server has it; `kept`: it is sent again when a retry may
   * succeed. Fails with the server's refusal, after which the change is still stored; only with
   * `unavailable`, when the browser's storage is full, it is not stored.
   */
  readonly save: (
    maskId: string,
    fromServer: VersionedRules,
    change: RuleChange,
  ) => TE.TaskEither<Failure, SaveOutcome>;
  /** Sends all pending changes, including refused ones, and returns the result. */
  readonly syncNow: Task<SyncResult>;
  /** Applies pending changes to newer rules of the server. */
  readonly rebase: (maskId: string, fromServer: VersionedRules) => void;
  readonly discard: (maskId: string) => void;
  /** The rules in which a change here and one on another device have replaced each other, until they are dismissed. */
  readonly replaced$: State<readonly ReplacedRule[]>;
  readonly dismissReplaced: (replaced: ReplacedRule) => void;
}

export interface SyncDeps {
  readonly store: PendingStore;
  readonly send: SendRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly online$: State<boolean>;
  readonly tabs: Pick<Tabs, "runExclusive">;
  /** The interval between two checks, in milliseconds: 30 s while the rules tab is open, else 120 s (D14). */
  readonly checkIntervalMs$: State<number>;
  readonly toast: ShowToast;
}

const storageFullMessage = "This browser cannot keep the change. Free some space and try again.";

export const createSync = (deps: SyncDeps): Sync & { readonly start: () => Subscription } => {
  const { store, clock, random, online$, tabs, checkIntervalMs$, toast } = deps;
  const sending$ = createState<SyncReason | null>(null);
  const saveWaiters = createSaveWaiters();
  const replaced$ = createState<readonly ReplacedRule[]>([]);
  let running = Subscription.EMPTY;
  let timer = Subscription.EMPTY;
  /** The lists that the server has taken in this round. */
  let accepted: ReadonlySet<string> = new Set();
  let finished: readonly ((result: SyncResult) => void)[] = [];

  const listUnrefused = (): readonly (readonly [string, PendingRecord])[] =>
    Object.entries(store.all()).filter(([, { refused }]) => refused === undefined);
  /** Returns when a record is due; a record without an attempt is left to the tab that made it for one interval. */
  const dueAt = ({ lastAttempt, timestamp, attempts }: PendingRecord, fraction: number): number =>
    lastAttempt === null
      ? timestamp + checkIntervalMs$.value
      : lastAttempt + retryDelayMs(Math.max(1, attempts), checkIntervalMs$.value, fraction);
  const getDue = (reason: SyncReason): readonly string[] => {
    if (reason === "by-hand") return Object.keys(store.all());
    const isDue = (record: PendingRecord): boolean =>
      reason === "online" || (reason === "edit" && record.attempts === 0) || dueAt(record, 0) <= clock.now();
    return listUnrefused().flatMap(([maskId, record]) => (isDue(record) ? [maskId] : []));
  };
  const scheduleCheck = (): void => {
    timer.unsubscribe();
    const records = listUnrefused();
    if (running.closed || runner.isBusy() || !online$.value || records.length === 0) return;
    const fraction = random.fraction();
    const nextAt = Math.min(...records.map(([, record]) => dueAt(record, fraction)));
    timer = clock.scheduler.schedule(() => runner.request("check"), Math.max(0, nextAt - clock.now()));
  };
  const resolveFinished = (result: SyncResult): void => {
    const waiting = finished;
    finished = [];
    for (const tell of waiting) tell(result);
  };
  const onEnd = (round: SyncModel): void => {
    const { synced, failed, lastError, offline, reason, followUp } = round;
    const result = { synced, failed, remaining: Object.keys(store.all()).length };
    const isAllMasks = accepted.size > 0 && [...accepted].every((id) => placeOfList(id) !== null);
    accepted = new Set();
    const toastContent = roundEndToast({ ...result, reason: lastError, offline, isAllMasks });
    const isAnnounced = reason === "by-hand" || (reason !== "edit" && toastContent?.kind === "success");
    if (toastContent !== null && isAnnounced) toast(toastContent.kind, toastContent.text);
    if (followUp === null) {
      sending$.set(null);
      saveWaiters.settleAll((maskId) => E.right(store.get(maskId) === null ? "saved" : "kept"));
    }
    if (reason === "by-hand") resolveFinished(result);
    scheduleCheck();
  };
  const addReplaced = (found: readonly ReplacedRule[]): void => {
    if (found.length === 0) return;
    const isFound = ({ maskId, mine }: ReplacedRule): boolean =>
      found.some((one) => one.maskId === maskId && one.mine.id === mine.id);
    replaced$.update((known) => [...known.filter((one) => !isFound(one)), ...found]);
  };
  const pushRules = createPushRules({
    ...deps,
    onReplaced: addReplaced,
    isOnline: () => online$.value,
    onAccepted: (maskId) => {
      accepted = new Set([...accepted, maskId]);
      if (store.get(maskId) === null) saveWaiters.settle(maskId, E.right("saved"));
    },
    onRefused: (maskId, failure) =>
      saveWaiters.settle(
        maskId,
        isRetryable(failure) || isOffline(failure, online$.value) ? E.right("kept") : E.left(failure),
      ),
  });
  const runner = createSyncRunner({
    tabs,
    getDue,
    push: pushRules,
    onBegin: () => sending$.set(runner.reason()),
    onEnd,
  });
  return {
    view$: combineState([store.all$, sending$], toSyncView),
    get: store.get,
    save: (maskId, fromServer, change) =>
      deferTask(() => {
        const record = addChange(store.get(maskId), fromServer, change, clock.now());
        if (!store.put(maskId, record)) return TE.left(unavailable(storageFullMessage));
        if (record === null) return TE.right("saved");
        if (!online$.value) return TE.right("kept");
        return pipe(
          saveWaiters.wait(maskId),
          onStarted(() => runner.request("edit")),
        );
      }),
    syncNow: () =>
      new Promise((resolve) => {
        finished = [...finished, resolve];
        runner.request("by-hand");
      }),
    rebase: (maskId, fromServer) => {
      const record = store.get(maskId);
      const after = record && rebaseRecord(record, fromServer);
      if (record && after !== record) {
        const merged = after?.rules ?? fromServer.rules;
        addReplaced(findReplacedRules(maskId, record, record.rules, fromServer.rules, merged));
      }
      if (after !== record) store.put(maskId, after);
    },
    replaced$,
    dismissReplaced: (replaced) => replaced$.update((known) => known.filter((one) => one !== replaced)),
    discard: (maskId) => {
      store.put(maskId, null);
    },
    start: () => {
      running = new Subscription(() => {
        timer.unsubscribe();
        runner.stop();
        sending$.set(null);
        replaced$.set([]);
        saveWaiters.settleAll(() => E.right("kept"));
        resolveFinished({ synced: 0, failed: 0, remaining: Object.keys(store.all()).length });
      });
      running.add(
        online$
          .pipe(filter((online) => online && listUnrefused().length > 0))
          .subscribe(() => runner.request("online")),
      );
      running.add(merge(store.all$, checkIntervalMs$, online$.pipe(skip(1))).subscribe(scheduleCheck));
      return running;
    },
  };
};
