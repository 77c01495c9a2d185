import { JSDOM } from "jsdom";

/**
 * One document for the whole run: libraries keep references from the time they were loaded
 * (`screen` keeps the body), so installing again must restore the same window.
 */
const dom = new JSDOM("<!doctype html><html lang='en'><head></head><body></body></html>", {
  url: "http://localhost:3000/",
  pretendToBeVisual: true,
});

/** Node's own globals, which its streams, sockets and fetch check by identity. */
const keptFromNode = new Set([
  "Event",
  "EventTarget",
  "AbortController",
  "AbortSignal",
  "MessageChannel",
  "MessagePort",
  "MessageEvent",
  "Blob",
  "File",
  "FormData",
  "Headers",
  "Request",
  "Response",
  "URL",
  "URLSearchParams",
  "TextEncoder",
  "TextDecoder",
  "WebSocket",
  "crypto",
  "performance",
  "fetch",
  "structuredClone",
  "queueMicrotask",
  "console",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "globalThis",
  "undefined",
]);

const fromWindow = ["navigator", "localStorage", "sessionStorage", "location", "history", "CustomEvent"];

/** Creates the APIs that jsdom lacks: its layout never changes, and no media query but a height matches. */
const missingFromJsdom = (): Record<string, unknown> => ({
  matchMedia: (media: string) => ({
    media,
    matches: Number(/^\(min-height: (\d+)px\)$/.exec(media)?.[1] ?? Number.POSITIVE_INFINITY) <= innerHeight,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  }),
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
  IntersectionObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  },
  CSS: {
    escape: (text: string) => text.replace(/[^\w-]/g, (character) => `\\${character}`),
    supports: () => false,
  },
  scrollTo: () => {},
});

const replaced = new Map<string, PropertyDescriptor | undefined>();

const put = (name: string, value: unknown): void => {
  if (!replaced.has(name)) replaced.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
};

const completeWindow = (): void => {
  for (const [name, value] of Object.entries(missingFromJsdom()))
    Object.defineProperty(dom.window, name, { value, writable: true, configurable: true });
  Object.assign(dom.window.Element.prototype, {
    scrollIntoView: () => {},
    scrollTo: () => {},
    getAnimations: () => [],
  });
};

/**
 * Gives this process a document, empty and at `/`, until `removeDom()`. Node's own Event and EventTarget stay.
 * A test also imports `./dom.ts` first, because React looks for a document when it is loaded.
 */
export const installDom = (): void => {
  completeWindow();
  dom.window.document.body.replaceChildren();
  dom.window.document.documentElement.removeAttribute("data-theme");
  dom.window.localStorage.clear();
  dom.window.sessionStorage.clear();
  dom.window.history.replaceState(null, "", "/");
  const names = Object.getOwnPropertyNames(dom.window).filter(
    (name) => !keptFromNode.has(name) && (fromWindow.includes(name) || !(name in globalThis)),
  );
  put("window", dom.window);
  for (const name of names)
    if (name !== "window") put(name, (dom.window as unknown as Record<string, unknown>)[name]);
  put("IS_REACT_ACT_ENVIRONMENT", true);
};

/** Removes the document and restores the previous globals. */
export const removeDom = (): void => {
  for (const [name, before] of replaced) {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  }
  replaced.clear();
};

/** Waits for the next frame, in which components that were just removed restore the focus. */
const nextFrame = (): Promise<unknown> =>
  new Promise((resolve) => {
    dom.window.requestAnimationFrame(resolve);
  });

/** A timer of the window, which runs after those that were set before. */
export const nextTask = (): Promise<void> => new Promise((resolve) => dom.window.setTimeout(resolve, 0));

/** Installs a fresh document before each test of a `describe`, and removes it afterwards. */
export const useDom = (): void => {
  beforeEach(installDom);
  after(async () => {
    await nextFrame();
    removeDom();
  });
};
