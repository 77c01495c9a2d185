import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../../kernel/failure.ts";
import { deferTask, mapResult } from "../../kernel/task.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Random, randomHex } from "../../ports/random.ts";
import type { Rule } from "../model/rule.ts";
import {
  hasChanges,
  markFailed,
  markSaved,
  markSending,
  type PendingRecord,
  type VersionedRules,
} from "./pendingRecord.ts";
import type { PendingStore } from "./pendingStore.ts";
import { findReplacedRules, type ReplacedRule } from "./replacedRules.ts";
import { isOffline, syncFailureReason } from "./saveFailure.ts";
import type { SyncEvent } from "./syncStep.ts";

/** One request that saves a mask's rules: the whole list and its base version, with one id for all retries (D43). */
export interface RulePush {
  readonly maskId: string;
  /** The version the list is based on, for If-Match; null when the server sent none. */
  readonly etag: string | null;
  readonly rules: readonly Rule[];
  /** The rules that the list is based on. */
  readonly baseRules: readonly Rule[];
  /** The value of X-Request-ID. */
  readonly requestId: string;
  /** True if the user waits for the answer. */
  readonly isAwaited: boolean;
}

/** Sends the request and returns the server's rules after it. */
export type SendRules = (push: RulePush) => TaskEither<Failure, VersionedRules>;

interface PushRulesDeps {
  readonly store: PendingStore;
  readonly send: SendRules;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly isOnline: () => boolean;
  readonly isAwaited: (maskId: string) => boolean;
  /** Is called when the server has saved the request; changes made meanwhile are still pending. */
  readonly onAccepted: (maskId: string) => void;
  /** Is called with the rules in which another device has replaced a change that was sent. */
  readonly onReplaced: (replaced: readonly ReplacedRule[]) => void;
  /** Is called when the request was not saved; returns what is kept of the record. */
  readonly onRefused: (
    maskId: string,
    failure: Failure,
    record: PendingRecord | null,
  ) => PendingRecord | null;
}

/** Creates the function that sends one mask's pending changes and updates the record before and after the request. */
export const createPushRules =
  ({ store, send, clock, random, isOnline, isAwaited, onAccepted, onReplaced, onRefused }: PushRulesDeps) =>
  (maskId: string): T.Task<SyncEvent> =>
    deferTask(() => {
      const pending = store.get(maskId);
      if (pending === null) return T.of<SyncEvent>({ kind: "answered", hasMore: false });
      const record = markSending(pending, () => randomHex(random, 16), clock.now());
      const { requestId, rules } = record.sent;
      store.put(maskId, record);

      const saved = (fromServer: VersionedRules): SyncEvent => {
        const current = store.get(maskId);
        const remaining = current && markSaved(current, requestId, fromServer);
        if (current !== null) store.put(maskId, remaining);
        onReplaced(findReplacedRules(maskId, record, rules, fromServer.rules, fromServer.rules));
        onAccepted(maskId);
        return {
          kind: "answered",
          hasMore: remaining !== null && remaining.refused === undefined,
          isUncounted: !hasChanges(pending),
        };
      };
      const notSaved = (failure: Failure): SyncEvent => {
        const reason = syncFailureReason(failure);
        const current = store.get(maskId);
        const failed = current && markFailed(current, requestId, failure, reason);
        const kept = onRefused(maskId, failure, failed);
        if (current !== null) store.put(maskId, kept);
        return { kind: "failed", reason, offline: isOffline(failure, isOnline()) };
      };
      return pipe(
        send({
          maskId,
          etag: record.base.etag,
          rules,
          baseRules: record.base.rules,
          requestId,
          isAwaited: isAwaited(maskId),
        }),
        mapResult(E.match(notSaved, saved)),
      );
    });
