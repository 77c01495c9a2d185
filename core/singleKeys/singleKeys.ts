import * as t from "io-ts";
import { createState, type State } from "../kernel/state.ts";
import { json, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** The switch of single keys, which do something while nobody types; those with Ctrl or ⌘ always do (WCAG 2.2, 2.1.4). */
export interface SingleKeys {
  readonly isOn$: State<boolean>;
  /** Switches single keys on or off and remembers it on this device until a logout. */
  readonly setOn: (isOn: boolean) => void;
}

/**
 * Creates the switch of the single keys, which are on at first. A choice that cannot be stored holds until the page is
 * left.
 */
export const createSingleKeys = ({ store }: { readonly store: Store }): SingleKeys => {
  const stored = store.get(storedKeys.singleKeys, json(t.boolean));
  const isOn$ = createState(stored.read() ?? true);
  return {
    isOn$,
    setOn: (isOn) => {
      stored.write(isOn);
      isOn$.set(isOn);
    },
  };
};
