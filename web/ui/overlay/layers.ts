/** Something that the back button closes before it leaves the page's tab, such as a dialog. */
interface Layer {
  readonly close: () => void;
  /** The address of its entry; undefined for that of the entry before. */
  readonly address: string | undefined;
  /** The back button has left the entry of this layer. */
  isPassed: boolean;
}

/** The time after which a layer that was asked to close has closed, or stays because it asks the user first. */
const answerWithinMs = 50;

/** The time after which a step back has arrived, or was given up by the browser. */
const stepWithinMs = 1000;

/** The state of a browser history entry. */
interface EntryState {
  /** The tab that a page without a tab was opened from. */
  readonly tab?: unknown;
  /** True once the entry's tab has been shown, so that its address is what was shown. */
  readonly shown?: unknown;
  /** The number of open layers. */
  readonly layers?: unknown;
}

/** Returns the state of the current entry of the history. */
export const entryState = ({ history }: Window): EntryState => (history.state as EntryState | null) ?? {};

const depthOf = (window: Window): number => Number(entryState(window).layers) || 0;

/** The open layers of a window, each with an entry in its history. */
export interface Layers {
  /** Adds a layer on top; the returned function removes it when it has closed. */
  readonly open: (close: () => void, address?: string) => () => void;
  /** True if the current entry of the history is that of a layer that is open, such as after one above it has closed. */
  readonly isShown: () => boolean;
  /**
   * Adds an entry for another place and tells of it. The entry of a layer is used again, so that one step back leads out of
   * it, and the layer on top is asked to close.
   */
  readonly goTo: (address: string, state?: object | null) => void;
  /** Names what is shown anew in the present entry, and tells of it. */
  readonly rename: (address: string) => void;
  /**
   * Calls `listener` after the address has changed; returns a function that ends it. `isOwn` is true where the page itself has
   * gone somewhere, and false for the browser's links and its back and forward buttons.
   */
  readonly onMove: (listener: (isOwn: boolean) => void) => () => void;
}

/** Creates the layers of a window. */
export const createLayers = (window: Window): Layers => {
  const layers: Layer[] = [];
  let isReturning = false;
  /** The place that was gone to while the entry of a closed layer was being left, which takes the browser a moment. */
  let goneTo: { readonly address: string; readonly state: object | null } | undefined;

  const enter = (address: string | undefined, state: object | null, isUsedAgain: boolean): void => {
    if (isUsedAgain) window.history.replaceState(state, "", address);
    else window.history.pushState(state, "", address);
  };
  const write = (): void => {
    const state = { ...entryState(window), layers: layers.length };
    // The entry of a layer that has just closed is used again.
    const address = layers.at(-1)?.address;
    enter(address, state, depthOf(window) >= layers.length);
  };
  /** Leaves the entry of a layer that was closed by other means than the back button. */
  const leaveEntry = (): void => {
    if (isReturning || depthOf(window) <= layers.length) return;
    isReturning = true;
    goneTo = undefined;
    window.history.back();
  };
  const askToClose = (layer: Layer): void => {
    layer.isPassed = true;
    layer.close();
    window.setTimeout(() => {
      if (!layers.includes(layer)) return;
      layer.isPassed = false;
      if (depthOf(window) < layers.length) write();
    }, answerWithinMs);
  };
  const listeners = new Set<(isOwn: boolean) => void>();
  const tell = (isOwn: boolean): void => {
    for (const listener of [...listeners]) listener(isOwn);
  };
  /** Asks the layer on top to close where the present entry lies below it. */
  const askTop = (): void => {
    const top = layers.at(-1);
    if (!isReturning && top && depthOf(window) < layers.length) askToClose(top);
  };
  /** Keeps a place that is gone to while an entry is being left: Chromium then steps back from it, WebKit stays there. */
  const keep = (address: string, state: object | null): void => {
    if (!isReturning) return;
    goneTo = { address, state };
    window.setTimeout(() => {
      isReturning = false;
    }, stepWithinMs);
  };
  window.addEventListener("popstate", () => {
    const isLink = !window.history.state;
    if (isLink) keep(window.location.hash, null);
    if (!isReturning || isLink) {
      askTop();
      tell(false);
      return;
    }
    isReturning = false;
    if (goneTo) enter(goneTo.address, goneTo.state, depthOf(window) > layers.length);
    if (depthOf(window) < layers.length) write();
    // The place shows already; nobody follows the step back from it.
    if (!goneTo) tell(false);
  });
  return {
    open: (close, address) => {
      // The entry below a layer always has a state; one that the browser adds has none.
      if (!window.history.state) enter(undefined, { layers: 0 }, true);
      const layer: Layer = { close, address, isPassed: false };
      layers.push(layer);
      write();
      return () => {
        layers.splice(layers.indexOf(layer), 1);
        if (!layer.isPassed) window.setTimeout(leaveEntry, 0);
      };
    },
    goTo: (address, state = null) => {
      keep(address, state);
      enter(address, state, depthOf(window) > 0);
      askTop();
      tell(true);
    },
    rename: (address) => {
      enter(address, window.history.state as object | null, true);
      tell(true);
    },
    onMove: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isShown: () => {
      const layer = layers[depthOf(window) - 1];
      return layer !== undefined && [undefined, window.location.hash].includes(layer.address);
    },
  };
};
