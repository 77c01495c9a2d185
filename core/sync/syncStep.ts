type MaskId = string;

/** Why a round begins. What is asked for by hand is the only one that tries what was refused. */
export type SyncReason = "edit" | "check" | "online" | "by-hand";

/** One sender's round through what is pending. */
export interface SyncModel {
  /** `asking`: another tab may be sending; `sending`: the first of `queue` is under way. */
  readonly phase: "idle" | "asking" | "sending";
  readonly reason: SyncReason;
  /** Another round is wanted when this one has ended. */
  readonly again: SyncReason | null;
  readonly queue: readonly MaskId[];
  readonly synced: number;
  readonly failed: number;
  /** What the last failure said. */
  readonly lastError: string | null;
  readonly offline: boolean;
}

export type SyncEvent =
  | { readonly kind: "wanted"; readonly reason: SyncReason }
  /** It is our turn, and these are due. */
  | { readonly kind: "turn"; readonly due: readonly MaskId[] }
  /** `more`: something was changed while it was under way. */
  | { readonly kind: "answered"; readonly more: boolean }
  | { readonly kind: "failed"; readonly reason: string; readonly offline: boolean }
  /** The user has left: nothing of theirs is sent any more. */
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
  again: null,
  queue: [],
  synced: 0,
  failed: 0,
  lastError: null,
  offline: false,
};

const weight: Readonly<Record<SyncReason, number>> = { check: 0, edit: 1, online: 2, "by-hand": 3 };

const stronger = (one: SyncReason | null, other: SyncReason): SyncReason =>
  one !== null && weight[one] >= weight[other] ? one : other;

const begin = (reason: SyncReason, before: readonly SyncEffect[] = []): SyncTransition => ({
  model: { ...noSync, phase: "asking", reason },
  effects: [...before, { kind: "take-turn" }],
});

const end = (model: SyncModel): SyncTransition => {
  const effects: readonly SyncEffect[] = [{ kind: "end-turn" }, { kind: "ended", round: model }];
  return model.again === null ? { model: noSync, effects } : begin(model.again, effects);
};

const next = (model: SyncModel): SyncTransition => {
  const [maskId] = model.queue;
  if (maskId === undefined) return end(model);
  return { model: { ...model, phase: "sending" }, effects: [{ kind: "push", maskId }] };
};

const wanted = (model: SyncModel, reason: SyncReason): SyncTransition =>
  model.phase === "idle"
    ? begin(reason)
    : { model: { ...model, again: stronger(model.again, reason) }, effects: [] };

/**
 * What happens next, as data. One mask after the other; where nobody answers, the rest is not tried in this round,
 * since it would fail too. Events that do not belong to the phase change nothing.
 */
export const syncStep = (model: SyncModel, event: SyncEvent): SyncTransition => {
  if (event.kind === "wanted") return wanted(model, event.reason);
  if (event.kind === "stopped")
    return { model: noSync, effects: model.phase === "idle" ? [] : [{ kind: "end-turn" }] };
  if (event.kind === "turn")
    return model.phase === "asking" ? next({ ...model, queue: event.due }) : { model, effects: [] };
  if (model.phase !== "sending") return { model, effects: [] };
  const [current, ...rest] = model.queue;
  if (event.kind === "answered") {
    const isLeft = event.more && current !== undefined;
    return next({
      ...model,
      synced: model.synced + (isLeft ? 0 : 1),
      queue: isLeft ? [...rest, current] : rest,
    });
  }
  return next({
    ...model,
    failed: model.failed + 1,
    lastError: event.reason,
    offline: event.offline,
    queue: event.offline ? [] : rest,
  });
};
