import { makeState, type State } from "../kernel/state.ts";
import { type HeldNotifications, noNotifications } from "./heldNotifications.ts";

/** Whether the list has been had; `sentence` says why it could not be. */
export interface ShelfStatus {
  readonly status: "loading" | "ready" | "failed";
  readonly sentence: string;
}

/** The one place where a page keeps the notifications of the user who is signed in. */
export interface Shelf {
  readonly held$: State<HeldNotifications>;
  readonly status$: State<ShelfStatus>;
  readonly change: (change: (held: HeldNotifications) => HeldNotifications) => void;
  readonly setStatus: (status: ShelfStatus["status"], sentence?: string) => void;
  /** Forgets everything: another user, or none. */
  readonly clear: () => void;
  /** A test that holds as long as the shelf belongs to the user of this moment. */
  readonly sameUser: () => () => boolean;
}

const loading: ShelfStatus = { status: "loading", sentence: "" };

export const makeShelf = (): Shelf => {
  const held$ = makeState(noNotifications);
  const status$ = makeState(loading);
  let owner = 0;
  return {
    held$,
    status$,
    change: held$.update,
    setStatus: (status, sentence = "") => status$.set({ status, sentence }),
    clear: () => {
      owner += 1;
      held$.set(noNotifications);
      status$.set(loading);
    },
    sameUser: () => {
      const then = owner;
      return () => owner === then;
    },
  };
};
