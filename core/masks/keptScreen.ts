import * as t from "io-ts";
import { json, plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** An element with its attributes, or a text. */
export type KeptNode =
  | string
  | readonly [name: string, attributes: Readonly<Record<string, string>>, children: readonly KeptNode[]];

/** The screen with the list as it was shown last, and what it was shown with. */
export interface Screen {
  readonly nodes: readonly KeptNode[];
  readonly theme: string;
  readonly isNarrow: boolean;
  /** The height of the kept part of the page, from its top, in CSS pixels. */
  readonly height: number;
  /** The height of the whole page. */
  readonly pageHeight: number;
  /** The address of the stylesheet, which differs in each version that looks different. */
  readonly styles: string;
}

/** The stored part of a screen: it is shown to its owner only, and only while the stored list is the one that it shows. */
export interface KeptScreen extends Screen {
  readonly owner: string;
  /** The beginning of the stored list, which says whose it is and when it was stored. */
  readonly list: string;
}

/** The number of characters of the stored list that tell it from an older or newer one. */
const comparedCharacters = 400;

const Stored = json(t.type({ owner: t.string, list: t.string, nodes: t.array(t.unknown) }));

interface KeptScreenDeps {
  readonly store: Store;
  readonly owner: () => string | null;
}

/** Returns the function that stores a screen for the signed-in user; without a stored list it stores nothing. */
export const createKeptScreen = ({ store, owner }: KeptScreenDeps): ((screen: Screen) => void) => {
  const stored = store.get(storedKeys.keptScreen, Stored);
  const list = store.get(storedKeys.cachedMasks, plainText);
  return (screen) => {
    const email = owner();
    const text = list.read();
    if (email === null || text === null) return;
    const kept = {
      ...screen,
      nodes: [...screen.nodes],
      owner: email,
      list: text.slice(0, comparedCharacters),
    };
    if (!stored.write(kept)) stored.remove();
  };
};
