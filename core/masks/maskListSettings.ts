import * as t from "io-ts";
import { createState, type State } from "../kernel/state.ts";
import { json, type Store, type StoredItem } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { type Mask, statisticsOf } from "./mask.ts";

/** The order of the masks. */
export const MaskSort = t.keyof({
  newest: null,
  name: null,
  lastMail: null,
  mostMail: null,
  mostForwarded: null,
  mostBlocked: null,
});
export type MaskSort = t.TypeOf<typeof MaskSort>;

const MaskLayout = t.keyof({ cards: null, rows: null });
export type MaskLayout = t.TypeOf<typeof MaskLayout>;

const MaskColumn = t.keyof({
  address: null,
  labels: null,
  forwardTo: null,
  lastMail: null,
  received: null,
  blocked: null,
  created: null,
  forwarded: null,
  replied: null,
  expires: null,
  note: null,
});
/** A column that a row shows of a mask besides its name and its switch. */
export type MaskColumn = t.TypeOf<typeof MaskColumn>;

/** The numbers of cards on a page that can be chosen; five are the default (MA2). Rows stand on one page. */
export const pageSizes = [5, 10, 20, 50] as const;

export const MaskListSettings = t.intersection([
  t.type({
    sort: MaskSort,
    layout: MaskLayout,
    /** Versions up to 0.2.0 kept a number of rows too. */
    pageSize: t.exact(t.type({ cards: t.number })),
    columns: t.readonlyArray(MaskColumn),
  }),
  t.partial({
    /** True if the order is turned round; pinned masks come first all the same. */
    isReversed: t.boolean,
  }),
]);
/** The order and layout in which the list shows the masks. */
export type MaskListSettings = t.TypeOf<typeof MaskListSettings>;

export const defaultListSettings: MaskListSettings = {
  sort: "newest",
  layout: "cards",
  pageSize: { cards: 5 },
  columns: ["address", "labels", "forwardTo", "forwarded", "blocked", "lastMail"],
};

/** True if the number of masks on a page is one that can be chosen. */
export const isOffered = ({ pageSize }: MaskListSettings): boolean =>
  pageSizes.some((size) => size === pageSize.cards);

/** Returns the number of masks on a page. */
export const pageSizeOf = ({ layout, pageSize }: MaskListSettings): number =>
  layout === "rows" ? Number.MAX_SAFE_INTEGER : pageSize.cards;

const KeptListSettings = t.intersection([
  MaskListSettings,
  t.partial({
    /** The user who has chosen them on this device, until the account has them; empty then. */
    unsavedOf: t.string,
  }),
]);
/** The settings as a device keeps them, so that the first screen and one without a connection are right. */
export type KeptListSettings = t.TypeOf<typeof KeptListSettings>;

/** The copy of the settings on this device. */
export const keptListSettings = (store: Store): StoredItem<KeptListSettings> =>
  store.get(storedKeys.maskListSettings, json(KeptListSettings));

/** Changes settings; `unsavedOf` is the user, unless the account has them already. */
export type ChangeListSettings = (change: Partial<MaskListSettings>, unsavedOf?: string) => void;

export interface MaskListSettingsControl {
  readonly settings$: State<MaskListSettings>;
  /** Keeps them on this device until a logout. */
  readonly changeSettings: ChangeListSettings;
}

/** Creates the settings of the list as this device keeps them; `owner` is who changes them. */
export const createMaskListSettings = (store: Store, owner: () => string | null): MaskListSettingsControl => {
  const stored = keptListSettings(store);
  const known = stored.read();
  const settings$ = createState<MaskListSettings>(
    known !== null && isOffered(known) ? known : defaultListSettings,
  );
  return {
    settings$,
    changeSettings: (change, unsavedOf = owner() ?? "") => {
      settings$.update((settings) => ({
        ...settings,
        // Another order begins at its usual end.
        ...(change.sort && { isReversed: false }),
        ...change,
      }));
      stored.write({ ...settings$.value, unsavedOf });
    },
  };
};

/** The name of a mask in texts: its description, or else its address; undefined stands for one that is deleted. */
export const maskName = (mask: Pick<Mask, "description" | "maskEmail"> | undefined): string =>
  mask === undefined ? "A deleted mask" : mask.description?.trim() || mask.maskEmail;

/** Returns the time of the last mail, in milliseconds since 1970; 0 before the first. */
export const lastMailAtOf = (mask: Mask): number =>
  mask.lastMailAt ?? (Date.parse(statisticsOf(mask).lastUsed ?? "") || 0);

let collator: Intl.Collator | undefined;

/** Compares names; the collator costs the first screen milliseconds, so it is made for the first list sorted by name. */
const byName = (one: string, other: string): number => {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  return collator.compare(one, other);
};

const descending =
  (figure: (mask: Mask) => number) =>
  (one: Mask, other: Mask): number =>
    figure(other) - figure(one);

const comparisons: Readonly<Record<Exclude<MaskSort, "newest">, (one: Mask, other: Mask) => number>> = {
  name: (one, other) => byName(maskName(one), maskName(other)),
  lastMail: descending(lastMailAtOf),
  mostMail: descending((mask) => statisticsOf(mask).totalReceived),
  mostForwarded: descending((mask) => statisticsOf(mask).totalForwarded),
  mostBlocked: descending((mask) => statisticsOf(mask).spamBlocked),
};

/** The last order of each list, because most changes of a query leave it. */
const sorted = new WeakMap<readonly Mask[], { readonly sort: MaskSort; readonly masks: readonly Mask[] }>();

/** Returns masks, newest first, in another order; equal ones stay newest first. */
export const sortMasks = (masks: readonly Mask[], sort: MaskSort): readonly Mask[] => {
  if (sort === "newest") return masks;
  const known = sorted.get(masks);
  if (known?.sort === sort) return known.masks;
  const result = [...masks].sort(comparisons[sort]);
  sorted.set(masks, { sort, masks: result });
  return result;
};
