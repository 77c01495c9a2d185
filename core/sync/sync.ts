import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { filter, merge, Subscription, skip } from "rxjs";
import { type Failure, unavailable } from "../kernel/failure.ts";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Tabs } from "../ports/tabs.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { isOffline, mayHeal } from "./offline.ts";
import { edited, type RuleChange, rebased, waitMs } from "./pendingChange.ts";
import type { KnownRules, PendingRecord } from "./pendingRecord.ts";
import type { PendingStore } from "./pendingStore.ts";
import { makePushRules, type SendRules } from "./pushRules.ts";
import { makeRounds } from "./rounds.ts";
import { makeSavers } from "./savers.ts";
import { endingSentence, type SyncResult } from "./syncSentences.ts";
import type { SyncModel, SyncReason } from "./syncStep.ts";
import { type SyncView, syncView } from "./syncView.ts";

/** Rules that are written here first and reach the server when it can be reached (SY1–SY4). */
export interface Sync {
  readonly view$: State<SyncView>;
  readonly of: (maskId: string) => PendingRecord | null;
  /**
   * Writes a change down and sends it. `saved`: the server has it; `kept`: it will be sent again when that may help.
   * Fails with what the server said when it has refused the rules; the change is kept then too. Only where the browser keeps nothing more
   * (`unavailable`) is it not kept.
   */
  readonly save: (
    maskId: string,
    known: KnownRules,
    change: RuleChange,
  ) => TaskEither<Failure, "saved" | "kept">;
  /** Sends all that is pending, what was refused included, and says how it ended. */
  readonly syncNow: () => Promise<SyncResult>;
  /** The server's rules were read: what is pending is put on top of them. */
  readonly noticed: (maskId: string, known: KnownRules) => void;
  /** Gives up what is pending of a mask. */
  readonly discard: (maskId: string) => void;
}

export interface SyncNeeds {
  readonly store: PendingStore;
  readonly send: SendRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly online$: State<boolean>;
  readonly tabs: Pick<Tabs, "exclusively">;
  /** How often to look, in milliseconds: 30 s while the rules tab is open, else 120 s (D14). */
  readonly checkEachMs$: State<number>;
  readonly toast: ShowToast;
}

const storageFull = "This browser cannot keep the change. Free some space and try again.";

export const makeSync = (needs: SyncNeeds): Sync & { readonly start: () => Subscription } => {
  const { store, clock, random, online$, tabs, checkEachMs$, toast } = needs;
  const sending$ = makeState<SyncReason | null>(null);
  const savers = makeSavers();
  let running = Subscription.EMPTY;
  let timer = Subscription.EMPTY;
  let finished: readonly ((result: SyncResult) => void)[] = [];

  const open = (): readonly (readonly [string, PendingRecord])[] =>
    Object.entries(store.all()).filter(([, { refused }]) => refused === undefined);
  /** When a record is to be tried again by itself; what nobody has tried is another tab's for a while. */
  const dueAt = ({ lastAttempt, timestamp, attempts }: PendingRecord, fraction: number): number =>
    lastAttempt === null
      ? timestamp + checkEachMs$.value
      : lastAttempt + waitMs(Math.max(1, attempts), checkEachMs$.value, fraction);
  const due = (reason: SyncReason): readonly string[] => {
    if (reason === "by-hand") return Object.keys(store.all());
    const isDue = (record: PendingRecord): boolean =>
      reason === "online" || (reason === "edit" && record.attempts === 0) || dueAt(record, 0) <= clock.now();
    return open().flatMap(([maskId, record]) => (isDue(record) ? [maskId] : []));
  };
  const wake = (): void => {
    timer.unsubscribe();
    const records = open();
    if (running.closed || rounds.isBusy() || !online$.value || records.length === 0) return;
    const fraction = random.fraction();
    const at = Math.min(...records.map(([, record]) => dueAt(record, fraction)));
    timer = clock.scheduler.schedule(() => rounds.want("check"), Math.max(0, at - clock.now()));
  };
  const tellFinished = (result: SyncResult): void => {
    const waiting = finished;
    finished = [];
    for (const tell of waiting) tell(result);
  };
  const ended = (round: SyncModel): void => {
    const { synced, failed, lastError, offline, reason, again } = round;
    const result = { synced, failed, remaining: Object.keys(store.all()).length };
    const said = endingSentence({ ...result, reason: lastError, offline });
    const isHeard = reason === "by-hand" || (reason !== "edit" && said?.kind === "success");
    if (said !== null && isHeard) toast(said.kind, said.text);
    if (again === null) {
      sending$.set(null);
      savers.settleAll((maskId) => E.right(store.of(maskId) === null ? "saved" : "kept"));
    }
    if (reason === "by-hand") tellFinished(result);
    wake();
  };
  const pushRules = makePushRules({
    ...needs,
    isOnline: () => online$.value,
    accepted: (maskId) => {
      if (store.of(maskId) === null) savers.settle(maskId, E.right("saved"));
    },
    refused: (maskId, failure) =>
      savers.settle(
        maskId,
        mayHeal(failure) || isOffline(failure, online$.value) ? E.right("kept") : E.left(failure),
      ),
  });
  const rounds = makeRounds({
    tabs,
    due,
    push: pushRules,
    began: () => sending$.set(rounds.reason()),
    ended,
  });
  return {
    view$: combineState([store.all$, sending$], syncView),
    of: store.of,
    save: (maskId, known, change) => () => {
      const record = edited(store.of(maskId), known, change, clock.now());
      if (!store.put(maskId, record)) return Promise.resolve(E.left(unavailable(storageFull)));
      if (record === null) return Promise.resolve(E.right("saved"));
      if (!online$.value) return Promise.resolve(E.right("kept"));
      const outcome = savers.wait(maskId);
      rounds.want("edit");
      return outcome;
    },
    syncNow: () =>
      new Promise((resolve) => {
        finished = [...finished, resolve];
        rounds.want("by-hand");
      }),
    noticed: (maskId, known) => {
      const record = store.of(maskId);
      const after = record && rebased(record, known);
      if (after !== record) store.put(maskId, after);
    },
    discard: (maskId) => {
      store.put(maskId, null);
    },
    start: () => {
      running = new Subscription(() => {
        timer.unsubscribe();
        rounds.stop();
        sending$.set(null);
        savers.settleAll(() => E.right("kept"));
        tellFinished({ synced: 0, failed: 0, remaining: Object.keys(store.all()).length });
      });
      running.add(
        online$.pipe(filter((online) => online && open().length > 0)).subscribe(() => rounds.want("online")),
      );
      running.add(merge(store.all$, checkEachMs$, online$.pipe(skip(1))).subscribe(wake));
      return running;
    },
  };
};
