import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, merge, Subscription, skip } from "rxjs";
import { type Failure, unavailable } from "../../kernel/failure.ts";
import { combineState, createState, type State } from "../../kernel/state.ts";
import { deferTask, onStarted } from "../../kernel/task.ts";
import type { ShowToast } from "../../kernel/toast.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Tabs } from "../../ports/tabs.ts";
import { placeOfList } from "../model/rulePlace.ts";
import { dueMasks, hasUnrefused, nextDueAfterMs } from "./dueRecords.ts";
import {
  addChange,
  hasChanges,
  localOnlyIds,
  type PendingRecord,
  type RuleChange,
  rebaseRecord,
  type VersionedRules,
  withdrawChange,
} from "./pendingRecord.ts";
import type { PendingStore } from "./pendingStore.ts";
import { createPushRules, type SendRules } from "./pushRules.ts";
import { findReplacedRules, type ReplacedRule } from "./replacedRules.ts";
import { isOffline } from "./saveFailure.ts";
import type { SavesUnderWay } from "./savesUnderWay.ts";
import { createSaveWaiters, type SaveOutcome, type Withdraw } from "./saveWaiters.ts";
import { createSyncRunner, type SyncRunner } from "./syncRunner.ts";
import type { SyncModel, SyncReason } from "./syncStep.ts";
import { roundEndToast, type SyncResult, type SyncView, toSyncView } from "./syncView.ts";

export interface SyncDeps {
  readonly store: PendingStore;
  readonly saves: SavesUnderWay;
  readonly send: SendRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly online$: State<boolean>;
  readonly tabs: Pick<Tabs, "runExclusive">;
  /** The interval between two checks, in milliseconds: 30 s while the rules tab is open, else 120 s (D14). */
  readonly checkIntervalMs$: State<number>;
  readonly toast: ShowToast;
}

const storageFullMessage = "This browser has no room to keep the change. Free some space, then try again.";

/** Stores rule changes locally and sends them in rounds when the server can be reached (SY1–SY4). */
export class Sync {
  /** The rules in which a change here and one on another device have replaced each other, until they are dismissed. */
  readonly replaced$ = createState<readonly ReplacedRule[]>([]);
  readonly view$: State<SyncView>;
  readonly #deps: SyncDeps;
  readonly #runner: SyncRunner;
  readonly #sending$ = createState<SyncReason | null>(null);
  readonly #saveWaiters = createSaveWaiters();
  #running = Subscription.EMPTY;
  #timer = Subscription.EMPTY;
  /** The lists that the server has taken in this round. */
  #accepted: ReadonlySet<string> = new Set();
  /** The callbacks that wait for the end of a round that was started by hand. */
  #waiting: readonly ((result: SyncResult) => void)[] = [];

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.view$ = combineState([deps.store.all$, this.#sending$, deps.saves.lists$], toSyncView);
    this.#runner = createSyncRunner({
      tabs: deps.tabs,
      getDue: (reason) => dueMasks(deps.store.all(), reason, deps.checkIntervalMs$.value, deps.clock.now()),
      push: createPushRules({
        ...deps,
        onReplaced: (found) => this.#addReplaced(found),
        isOnline: () => deps.online$.value,
        isAwaited: (maskId) => this.#saveWaiters.isAwaited(maskId) || this.#runner.reason() === "by-hand",
        onAccepted: (maskId) => this.#accept(maskId),
        onRefused: (...refusal) => this.#refuse(...refusal),
      }),
      onBegin: () => this.#sending$.set(this.#runner.reason()),
      onEnd: (round) => this.#endRound(round),
    });
  }

  readonly get = (maskId: string): PendingRecord | null => this.#deps.store.get(maskId);

  /**
   * Stores a change and sends it. `saved`: the server has it; `kept`: the server could not be reached, and it is
   * sent again. Fails with what the server answered instead, after which the change is still stored; only
   * with `unavailable`, when the browser's storage is full, it is not stored.
   */
  readonly save = (
    maskId: string,
    fromServer: VersionedRules,
    change: RuleChange,
  ): TE.TaskEither<Failure, SaveOutcome> => this.#save(maskId, fromServer, change, null);

  /** Sends all pending changes, including refused ones, and returns the result. */
  readonly syncNow: Task<SyncResult> = () =>
    new Promise((resolve) => {
      this.#waiting = [...this.#waiting, resolve];
      this.#runner.request("by-hand");
    });

  /** Applies pending changes to newer rules of the server. */
  readonly rebase = (maskId: string, fromServer: VersionedRules): void => {
    const { store } = this.#deps;
    const record = store.get(maskId);
    const after = record && rebaseRecord(record, fromServer);
    if (record && after !== record) {
      const merged = after?.rules ?? fromServer.rules;
      this.#addReplaced(findReplacedRules(maskId, record, record.rules, fromServer.rules, merged));
    }
    if (after !== record) store.put(maskId, after);
  };

  /** Saves a change that its form still has: when the server answers with a failure, it is taken back here. */
  readonly saveOrWithdraw = (
    maskId: string,
    fromServer: VersionedRules,
    change: RuleChange,
  ): TE.TaskEither<Failure, SaveOutcome> => {
    const { store } = this.#deps;
    return deferTask(() => {
      const record = store.get(maskId);
      const { base } = (record && rebaseRecord(record, fromServer)) ?? { base: fromServer };
      return this.#save(maskId, fromServer, change, (failed) => withdrawChange(failed, base, change));
    });
  };

  readonly discard = (maskId: string): void => {
    this.#deps.store.put(maskId, null);
  };

  readonly dismissReplaced = (replaced: ReplacedRule): void =>
    this.replaced$.update((known) => known.filter((one) => one !== replaced));

  readonly start = (): Subscription => {
    const { store, online$, checkIntervalMs$ } = this.#deps;
    this.#running = new Subscription(() => this.#stop());
    this.#running.add(
      online$
        .pipe(filter((online) => online && hasUnrefused(store.all())))
        .subscribe(() => this.#runner.request("online")),
    );
    this.#running.add(
      merge(store.all$, checkIntervalMs$, online$.pipe(skip(1))).subscribe(() => this.#scheduleCheck()),
    );
    return this.#running;
  };

  #save(
    maskId: string,
    fromServer: VersionedRules,
    change: RuleChange,
    withdraw: Withdraw | null,
  ): TE.TaskEither<Failure, SaveOutcome> {
    const { store, clock, online$, saves } = this.#deps;
    return deferTask(() => {
      const before = store.get(maskId);
      const storeAndSend = deferTask((): TE.TaskEither<Failure, SaveOutcome> => {
        const record = addChange(before, fromServer, change, clock.now());
        if (!store.put(maskId, record)) return TE.left(unavailable(storageFullMessage));
        if (record === null) return TE.right("saved");
        if (!online$.value) return TE.right("kept");
        return pipe(
          this.#saveWaiters.wait(maskId, withdraw),
          onStarted(() => this.#runner.request("edit")),
        );
      });
      return saves.run(maskId, localOnlyIds(before))(storeAndSend);
    });
  }

  #stop(): void {
    this.#timer.unsubscribe();
    this.#runner.stop();
    this.#sending$.set(null);
    this.replaced$.set([]);
    this.#saveWaiters.settleAll(() => E.right("kept"));
    this.#tellWaiting({ synced: 0, failed: 0, remaining: this.#countRemaining() });
  }

  #scheduleCheck(): void {
    const { store, clock, random, online$, checkIntervalMs$ } = this.#deps;
    this.#timer.unsubscribe();
    const isWaiting = online$.value && !this.#running.closed && !this.#runner.isBusy();
    if (!isWaiting || !hasUnrefused(store.all())) return;
    this.#timer = clock.scheduler.schedule(
      () => this.#runner.request("check"),
      nextDueAfterMs(store.all(), checkIntervalMs$.value, random.fraction(), clock.now()),
    );
  }

  #accept(maskId: string): void {
    this.#accepted = new Set([...this.#accepted, maskId]);
    if (this.#deps.store.get(maskId) === null) this.#saveWaiters.settle(maskId, E.right("saved"));
  }

  #refuse(maskId: string, failure: Failure, record: PendingRecord | null): PendingRecord | null {
    const isKept = isOffline(failure, this.#deps.online$.value);
    const rest = isKept || record === null ? record : this.#saveWaiters.withdrawAll(maskId, record);
    this.#saveWaiters.settle(maskId, isKept ? E.right("kept") : E.left(failure));
    return rest;
  }

  #endRound({ synced, failed, lastError, offline, reason, followUp }: SyncModel): void {
    const { store, toast } = this.#deps;
    const result = { synced, failed, remaining: this.#countRemaining() };
    const isAllMasks = this.#accepted.size > 0 && [...this.#accepted].every((id) => placeOfList(id) !== null);
    this.#accepted = new Set();
    const toastContent = roundEndToast({ ...result, reason: lastError, offline, isAllMasks });
    const isAnnounced = reason === "by-hand" || (reason !== "edit" && toastContent?.kind === "success");
    if (toastContent !== null && isAnnounced) toast(toastContent.kind, toastContent.text);
    if (followUp === null) {
      this.#sending$.set(null);
      this.#saveWaiters.settleAll((maskId) => E.right(store.get(maskId) === null ? "saved" : "kept"));
    }
    if (reason === "by-hand") this.#tellWaiting(result);
    this.#scheduleCheck();
  }

  #countRemaining(): number {
    return Object.values(this.#deps.store.all()).filter(hasChanges).length;
  }

  #tellWaiting(result: SyncResult): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell(result);
  }

  #addReplaced(found: readonly ReplacedRule[]): void {
    if (found.length === 0) return;
    const isFound = ({ maskId, mine }: ReplacedRule): boolean =>
      found.some((one) => one.maskId === maskId && one.mine.id === mine.id);
    this.replaced$.update((known) => [...known.filter((one) => !isFound(one)), ...found]);
  }
}
