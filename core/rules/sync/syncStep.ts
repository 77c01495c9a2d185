type MaskId = string;

/** The reason for which a round begins. Only `by-hand` also sends refused records. */
export type SyncReason = "edit" | "check" | "online" | "by-hand";

/** The state of one round through the pending records. */
export interface SyncModel {
  /** `asking`: waits for the lock that other tabs may hold; `sending`: the first mask of `queue` is being sent. */
  readonly phase: "idle" | "asking" | "sending";
  readonly reason: SyncReason;
  /** The reason of the round that follows this one; null without one. */
  readonly followUp: SyncReason | null;
  readonly queue: readonly MaskId[];
  readonly synced: number;
  readonly failed: number;
  /** The reason of the last failure. */
  readonly lastError: string | null;
  readonly offline: boolean;
}

export type SyncEvent =
  | { readonly kind: "wanted"; readonly reason: SyncReason }
  /** This tab has the lock, and these masks are due. */
  | { readonly kind: "turn"; readonly due: readonly MaskId[] }
  /** `hasMore`: the rules were changed while the request was under way. `isUncounted`: nobody waits for these rules. */
  | { readonly kind: "answered"; readonly hasMore: boolean; readonly isUncounted?: boolean }
  | { readonly kind: "failed"; readonly reason: string; readonly offline: boolean }
  /** The user has signed out, so that nothing more is sent. */
  | { readonly kind: "stopped" };

export type SyncEffect =
  | { readonly kind: "take-turn" }
  | { readonly kind: "push"; readonly maskId: MaskId }
  | { readonly kind: "end-turn" }
  | { readonly kind: "ended"; readonly round: SyncModel };

export interface SyncTransition {
  readonly model: SyncModel;
  readonly effects: readonly SyncEffect[];
}

export const noSync: SyncModel = {
  phase: "idle",
  reason: "check",
  followUp: null,
  queue: [],
  synced: 0,
  failed: 0,
  lastError: null,
  offline: false,
};

const weight: Readonly<Record<SyncReason, number>> = { check: 0, edit: 1, online: 2, "by-hand": 3 };

const strongerReason = (one: SyncReason | null, other: SyncReason): SyncReason =>
  one !== null && weight[one] >= weight[other] ? one : other;

const beginRound = (reason: SyncReason, before: readonly SyncEffect[] = []): SyncTransition => ({
  model: { ...noSync, phase: "asking", reason },
  effects: [...before, { kind: "take-turn" }],
});

const endRound = (model: SyncModel): SyncTransition => {
  const effects: readonly SyncEffect[] = [{ kind: "end-turn" }, { kind: "ended", round: model }];
  return model.followUp === null ? { model: noSync, effects } : beginRound(model.followUp, effects);
};

const sendNext = (model: SyncModel): SyncTransition => {
  const [maskId] = model.queue;
  if (maskId === undefined) return endRound(model);
  return { model: { ...model, phase: "sending" }, effects: [{ kind: "push", maskId }] };
};

const requestRound = (model: SyncModel, reason: SyncReason): SyncTransition =>
  model.phase === "idle"
    ? beginRound(reason)
    : { model: { ...model, followUp: strongerReason(model.followUp, reason) }, effects: [] };

type Answered = Extract<SyncEvent, { readonly kind: "answered" }>;

const afterAnswer = (model: SyncModel, { hasMore, isUncounted = false }: Answered): SyncModel => {
  const [current, ...rest] = model.queue;
  const isLeft = hasMore && current !== undefined;
  return {
    ...model,
    synced: model.synced + (isLeft || isUncounted ? 0 : 1),
    queue: isLeft ? [...rest, current] : rest,
  };
};

/**
 * Returns the next state and its effects as data. Masks are sent one after the other; when the server cannot
 * be reached, the round ends without trying the rest. Events that do not fit the phase change nothing.
 */
export const syncStep = (model: SyncModel, event: SyncEvent): SyncTransition => {
  if (event.kind === "wanted") return requestRound(model, event.reason);
  if (event.kind === "stopped")
    return { model: noSync, effects: model.phase === "idle" ? [] : [{ kind: "end-turn" }] };
  if (event.kind === "turn")
    return model.phase === "asking" ? sendNext({ ...model, queue: event.due }) : { model, effects: [] };
  if (model.phase !== "sending") return { model, effects: [] };
  if (event.kind === "answered") return sendNext(afterAnswer(model, event));
  return sendNext({
    ...model,
    failed: model.failed + 1,
    lastError: event.reason,
    offline: event.offline,
    queue: event.offline ? [] : model.queue.slice(1),
  });
};
