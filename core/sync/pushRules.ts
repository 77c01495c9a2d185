import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { Rule } from "../rules/rule.ts";
import { isOffline } from "./offline.ts";
import { answered, begun, failed } from "./pendingChange.ts";
import type { KnownRules } from "./pendingRecord.ts";
import type { PendingStore } from "./pendingStore.ts";
import { reasonOf } from "./reason.ts";
import type { SyncEvent } from "./syncStep.ts";

/** One write of a mask's rules: the whole list, what it was made from, and its name in every retry (D43). */
export interface RulePush {
  readonly maskId: string;
  /** The version the list was made from, for If-Match; null where the server names none. */
  readonly etag: string | null;
  readonly rules: readonly Rule[];
  /** For X-Request-ID. */
  readonly requestId: string;
}

/** Sends it, and answers what the server has then. */
export type SendRules = (push: RulePush) => TaskEither<Failure, KnownRules>;

interface Needs {
  readonly store: PendingStore;
  readonly send: SendRules;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly isOnline: () => boolean;
  /** The server has taken what was sent of a mask; what was changed meanwhile still waits. */
  readonly accepted: (maskId: string) => void;
  readonly refused: (maskId: string, failure: Failure) => void;
}

/** Sends what is pending of one mask. The record says so before anything leaves, and goes when the server has answered. */
export const makePushRules =
  ({ store, send, clock, random, isOnline, accepted, refused }: Needs) =>
  (maskId: string): Promise<SyncEvent> => {
    const pending = store.of(maskId);
    if (pending === null) return Promise.resolve({ kind: "answered", more: false });
    const record = begun(pending, () => randomHex(random, 16), clock.now());
    const { requestId, rules } = record.sent;
    store.put(maskId, record);

    const saved = (known: KnownRules): SyncEvent => {
      const now = store.of(maskId);
      const left = now && answered(now, requestId, known);
      if (now !== null) store.put(maskId, left);
      accepted(maskId);
      return { kind: "answered", more: left !== null && left.refused === undefined };
    };
    const notSaved = (failure: Failure): SyncEvent => {
      const reason = reasonOf(failure);
      const now = store.of(maskId);
      if (now !== null) store.put(maskId, failed(now, requestId, failure, reason));
      refused(maskId, failure);
      return { kind: "failed", reason, offline: isOffline(failure, isOnline()) };
    };
    return send({ maskId, etag: record.base.etag, rules, requestId })().then(E.match(notSaved, saved));
  };
