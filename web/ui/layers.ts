/** Something that the back button closes before it leaves the page's tab, such as a dialog. */
interface Layer {
  readonly close: () => void;
  /** The back button has left the entry of this layer. */
  isPassed: boolean;
}

/** The time after which a layer that was asked to close has closed, or stays because it asks the user first. */
const answerWithinMs = 50;

/** The state of a browser history entry; it contains no address and needs no route. */
interface EntryState {
  readonly tab?: unknown;
  /** Whether the operator's page is shown in place of the tab. */
  readonly operator?: unknown;
  /** What the page of held mail shows, while it is shown instead of the tab. */
  readonly held?: { readonly maskId?: string; readonly mailId?: string };
  /** The number of open layers. */
  readonly layers?: unknown;
}

/** Returns the state of the current entry of the history. */
export const entryState = ({ history }: Window): EntryState =>
  typeof history.state === "object" && history.state !== null ? (history.state as EntryState) : {};

const depthOf = (window: Window): number => Number(entryState(window).layers ?? 0) || 0;

/** The open layers of a window, each with an entry in its history. */
export interface Layers {
  /** Adds a layer on top; the returned function removes it when it has closed. */
  readonly open: (close: () => void) => () => void;
}

/** Creates the layers of a window. */
export const createLayers = (window: Window): Layers => {
  const layers: Layer[] = [];
  let isReturning = false;

  const write = (): void => {
    const state = { ...entryState(window), layers: layers.length };
    // The entry of a layer that has just closed is used again.
    if (depthOf(window) >= layers.length) window.history.replaceState(state, "");
    else window.history.pushState(state, "");
  };
  /** Leaves the entry of a layer that was closed by other means than the back button. */
  const leaveEntry = (): void => {
    if (isReturning || depthOf(window) <= layers.length) return;
    isReturning = true;
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
  window.addEventListener("popstate", () => {
    const top = layers.at(-1);
    const isBelow = depthOf(window) < layers.length;
    if (isReturning) {
      isReturning = false;
      if (isBelow) write();
    } else if (top !== undefined && isBelow) askToClose(top);
  });
  return {
    open: (close) => {
      const layer: Layer = { close, isPassed: false };
      layers.push(layer);
      write();
      return () => {
        layers.splice(layers.indexOf(layer), 1);
        if (!layer.isPassed) window.setTimeout(leaveEntry, 0);
      };
    },
  };
};
