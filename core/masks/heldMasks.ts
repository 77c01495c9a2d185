import { makeState, type State } from "../kernel/state.ts";
import type { Mask, MaskId } from "./mask.ts";
import { newestFirst } from "./maskList.ts";

/** What is known of the masks. `failed` carries the sentence for the page. */
export interface Holding {
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly sentence: string;
  readonly masks: readonly Mask[];
  /** They come from an earlier visit and nobody has asked the server since. */
  readonly isRecalled: boolean;
}

/** A moment in the history of the masks held: an answer to what was asked then may be behind the times. */
export interface Moment {
  readonly owner: number;
  readonly tick: number;
}

/** The masks this page holds, changed here and refreshed from elsewhere without the two undoing each other. */
export interface HeldMasks {
  readonly holding$: State<Holding>;
  /** Masks of which a change is under way. */
  readonly pendingIds$: State<ReadonlySet<MaskId>>;
  readonly find: (id: MaskId) => Mask | undefined;
  readonly now: () => Moment;
  /** Whether the masks still belong to the same user as then. */
  readonly isSame: (moment: Moment) => boolean;
  /** Forgets everything: another user, or none. */
  readonly reset: () => void;
  readonly begin: (id: MaskId) => void;
  readonly end: (id: MaskId) => void;
  /** A change made here: the mask as it is now, or gone. */
  readonly put: (mask: Mask) => void;
  readonly drop: (id: MaskId) => void;
  /** The whole list, asked for at `since`; masks changed or read after that are kept as they are. */
  readonly listed: (masks: readonly Mask[], since: Moment) => void;
  /** One mask, or its absence, asked for at `since`; false when it was changed or read meanwhile. */
  readonly read: (id: MaskId, mask: Mask | null, since: Moment) => boolean;
  /** The list asked for at `since` could not be had: older masks are shown, or the sentence. */
  readonly unreachable: (masks: readonly Mask[] | null, sentence: string, since: Moment) => void;
  /** Masks kept from an earlier visit, young enough to be shown as they are. */
  readonly recalled: (masks: readonly Mask[]) => void;
}

const nothingYet: Holding = { status: "loading", sentence: "", masks: [], isRecalled: false };
const noneIds: ReadonlySet<MaskId> = new Set();

export const makeHeldMasks = (): HeldMasks => {
  const holding$ = makeState(nothingYet);
  const pendingIds$ = makeState(noneIds);
  /** The moment up to which a mask's state is known. */
  const asOf = new Map<MaskId, number>();
  let listedAsOf = 0;
  let owner = 0;
  let tick = 0;

  const set = (status: Holding["status"], masks: readonly Mask[], sentence = ""): void =>
    holding$.set({ status, masks, sentence, isRecalled: false });
  const now = (): Moment => {
    tick += 1;
    return { owner, tick };
  };
  const changed = (id: MaskId): void => {
    asOf.set(id, now().tick);
  };
  const isNewer = (id: MaskId, since: Moment): boolean =>
    pendingIds$.value.has(id) || (asOf.get(id) ?? 0) > since.tick;
  const isSame = (moment: Moment): boolean => moment.owner === owner;
  const without = (id: MaskId): readonly Mask[] => holding$.value.masks.filter((mask) => mask.id !== id);
  const replaced = (mask: Mask): readonly Mask[] =>
    holding$.value.masks.map((held) => (held.id === mask.id ? mask : held));
  const find = (id: MaskId): Mask | undefined => holding$.value.masks.find((mask) => mask.id === id);
  const update = (masks: readonly Mask[]): void => holding$.update((held) => ({ ...held, masks }));

  return {
    holding$,
    pendingIds$,
    find,
    now,
    isSame,
    reset: () => {
      owner += 1;
      asOf.clear();
      pendingIds$.set(noneIds);
      holding$.set(nothingYet);
    },
    begin: (id) => {
      pendingIds$.update((ids) => new Set([...ids, id]));
    },
    end: (id) => {
      changed(id);
      pendingIds$.update((ids) => new Set([...ids].filter((pending) => pending !== id)));
    },
    put: (mask) => {
      changed(mask.id);
      update(find(mask.id) ? replaced(mask) : [mask, ...holding$.value.masks]);
    },
    drop: (id) => {
      changed(id);
      update(without(id));
    },
    listed: (masks, since) => {
      if (!isSame(since) || since.tick < listedAsOf) return;
      listedAsOf = since.tick;
      const kept = holding$.value.masks.filter(({ id }) => isNewer(id, since));
      const taken = masks.filter(({ id }) => !isNewer(id, since));
      set("ready", newestFirst([...kept, ...taken]));
    },
    read: (id, mask, since) => {
      if (!isSame(since)) return true;
      if (isNewer(id, since) || listedAsOf > since.tick) return false;
      asOf.set(id, since.tick);
      if (mask === null) update(without(id));
      else if (find(id)) update(replaced(mask));
      else if (holding$.value.status === "ready") update(newestFirst([mask, ...holding$.value.masks]));
      return true;
    },
    unreachable: (masks, sentence, since) => {
      if (!isSame(since) || since.tick < listedAsOf) return;
      if (masks === null) set("failed", [], sentence);
      else set("stale", newestFirst(masks));
    },
    recalled: (masks) =>
      holding$.set({ status: "ready", masks: newestFirst(masks), sentence: "", isRecalled: true }),
  };
};
