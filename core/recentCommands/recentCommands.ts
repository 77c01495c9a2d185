import * as t from "io-ts";
import { createState, type State } from "../kernel/state.ts";
import { json, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** The number of commands that are remembered. */
const maxRecentCommands = 5;

/** The commands that were run last in this tab, by their ids, the newest first. */
export interface RecentCommands {
  readonly ids$: State<readonly string[]>;
  /** Puts a command first; an older one is forgotten for it. */
  readonly add: (id: string) => void;
}

/** Creates the list, which is kept until a logout; what cannot be stored is remembered until the page is left. */
export const createRecentCommands = ({ store }: { readonly store: Store }): RecentCommands => {
  const stored = store.get(storedKeys.recentCommands, json(t.array(t.string)));
  const ids$ = createState<readonly string[]>(stored.read() ?? []);
  return {
    ids$,
    add: (id) => {
      const ids = [id, ...ids$.value.filter((one) => one !== id)].slice(0, maxRecentCommands);
      stored.write(ids);
      ids$.set(ids);
    },
  };
};
