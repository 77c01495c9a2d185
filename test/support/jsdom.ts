import { JSDOM } from "jsdom";

/**
 * One document for the whole run: libraries keep what they found when they were loaded
 * (`screen` keeps the body), so installing again must bring back the same window.
 */
const dom = new JSDOM("<!doctype html><html lang='en'><head></head><body></body></html>", {
  url: "http://localhost:3000/",
  pretendToBeVisual: true,
});

/** Node's own, which its streams, sockets and fetch check by identity. */
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

/** What browsers have and jsdom has not: layout never changes there, and no media query ever matches. */
const missingFromJsdom = (): Record<string, unknown> => ({
  matchMedia: (media: string) => ({
    media,
    matches: false,
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
 * A test imports `./dom.ts` first besides, because React looks for a document when it is loaded.
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

/** Takes the document away and puts back whatever stood in its place. */
export const removeDom = (): void => {
  for (const [name, before] of replaced) {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  }
  replaced.clear();
};

/** Components that were just removed still restore the focus in the next frame. */
const nextFrame = (): Promise<unknown> =>
  new Promise((resolve) => {
    dom.window.requestAnimationFrame(resolve);
  });

/** For a `describe`: a fresh document before each test in it, none afterwards. */
export const useDom = (): void => {
  beforeEach(installDom);
  after(async () => {
    await nextFrame();
    removeDom();
  });
};
