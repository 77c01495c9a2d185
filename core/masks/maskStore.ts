import { createState, type State } from "../kernel/state.ts";
import type { Mask, MaskId } from "./mask.ts";
import { newestFirst } from "./maskList.ts";

/** The masks as the page shows them; `message` says why they are missing when the status is `failed`. */
export interface MaskSnapshot {
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly message: string;
  readonly masks: readonly Mask[];
  /** The masks come from the cache of an earlier visit and the server has not answered since. */
  readonly isFromCache: boolean;
}

/**
 * Identifies a point in the history of the store, so that a late answer can be compared with newer changes.
 */
export interface Revision {
  readonly owner: number;
  readonly tick: number;
}

/**
 * Holds the masks of the current user; optimistic changes and answers from the server do not overwrite newer
 * data.
 */
export interface MaskStore {
  readonly snapshot$: State<MaskSnapshot>;
  /** Masks with a change under way. */
  readonly pendingIds$: State<ReadonlySet<MaskId>>;
  readonly find: (id: MaskId) => Mask | undefined;
  readonly takeRevision: () => Revision;
  /** Whether the store still belongs to the user it had at that revision. */
  readonly isSameOwner: (revision: Revision) => boolean;
  /** Removes everything, because another user or nobody is signed in. */
  readonly reset: () => void;
  readonly beginChange: (id: MaskId) => void;
  readonly endChange: (id: MaskId) => void;
  /** Records a change made in this tab: the mask as it is now, or its removal. */
  readonly put: (mask: Mask) => void;
  readonly remove: (id: MaskId) => void;
  /** Takes the whole list, requested at `since`; masks that changed later stay as they are. */
  readonly setAll: (masks: readonly Mask[], since: Revision) => void;
  /**
   * Takes one mask, or null when it does not exist, requested at `since`; returns false when the mask changed
   * meanwhile.
   */
  readonly setOne: (id: MaskId, mask: Mask | null, since: Revision) => boolean;
  /**
   * Records that the list requested at `since` failed: shows older masks as `stale`, or the message as
   * `failed`.
   */
  readonly setUnreachable: (masks: readonly Mask[] | null, message: string, since: Revision) => void;
  /** Shows masks from the cache of an earlier visit that are still fresh. */
  readonly restoreFromCache: (masks: readonly Mask[]) => void;
}

const loadingSnapshot: MaskSnapshot = { status: "loading", message: "", masks: [], isFromCache: false };
const noIds: ReadonlySet<MaskId> = new Set();

export const createMaskStore = (): MaskStore => {
  const snapshot$ = createState(loadingSnapshot);
  const pendingIds$ = createState(noIds);
  /** The tick up to which each mask is known. */
  const knownTicks = new Map<MaskId, number>();
  let listTick = 0;
  let owner = 0;
  let tick = 0;

  const setSnapshot = (status: MaskSnapshot["status"], masks: readonly Mask[], message = ""): void =>
    snapshot$.set({ status, masks, message, isFromCache: false });
  const takeRevision = (): Revision => {
    tick += 1;
    return { owner, tick };
  };
  const markChanged = (id: MaskId): void => {
    knownTicks.set(id, takeRevision().tick);
  };
  const isNewer = (id: MaskId, since: Revision): boolean =>
    pendingIds$.value.has(id) || (knownTicks.get(id) ?? 0) > since.tick;
  const isSameOwner = (revision: Revision): boolean => revision.owner === owner;
  const without = (id: MaskId): readonly Mask[] => snapshot$.value.masks.filter((mask) => mask.id !== id);
  const replace = (mask: Mask): readonly Mask[] =>
    snapshot$.value.masks.map((snapshot) => (snapshot.id === mask.id ? mask : snapshot));
  const find = (id: MaskId): Mask | undefined => snapshot$.value.masks.find((mask) => mask.id === id);
  const updateMasks = (masks: readonly Mask[]): void =>
    snapshot$.update((snapshot) => ({ ...snapshot, masks }));

  return {
    snapshot$,
    pendingIds$,
    find,
    takeRevision,
    isSameOwner,
    reset: () => {
      owner += 1;
      knownTicks.clear();
      pendingIds$.set(noIds);
      snapshot$.set(loadingSnapshot);
    },
    beginChange: (id) => {
      pendingIds$.update((ids) => new Set([...ids, id]));
    },
    endChange: (id) => {
      markChanged(id);
      pendingIds$.update((ids) => new Set([...ids].filter((pending) => pending !== id)));
    },
    put: (mask) => {
      markChanged(mask.id);
      updateMasks(find(mask.id) ? replace(mask) : [mask, ...snapshot$.value.masks]);
    },
    remove: (id) => {
      markChanged(id);
      updateMasks(without(id));
    },
    setAll: (masks, since) => {
      if (!isSameOwner(since) || since.tick < listTick) return;
      listTick = since.tick;
      const newer = snapshot$.value.masks.filter(({ id }) => isNewer(id, since));
      const accepted = masks.filter(({ id }) => !isNewer(id, since));
      setSnapshot("ready", newestFirst([...newer, ...accepted]));
    },
    setOne: (id, mask, since) => {
      if (!isSameOwner(since)) return true;
      if (isNewer(id, since) || listTick > since.tick) return false;
      knownTicks.set(id, since.tick);
      if (mask === null) updateMasks(without(id));
      else if (find(id)) updateMasks(replace(mask));
      else if (snapshot$.value.status === "ready") updateMasks(newestFirst([mask, ...snapshot$.value.masks]));
      return true;
    },
    setUnreachable: (masks, message, since) => {
      if (!isSameOwner(since) || since.tick < listTick) return;
      if (masks === null) setSnapshot("failed", [], message);
      else setSnapshot("stale", newestFirst(masks));
    },
    restoreFromCache: (masks) =>
      snapshot$.set({ status: "ready", masks: newestFirst(masks), message: "", isFromCache: true }),
  };
};
