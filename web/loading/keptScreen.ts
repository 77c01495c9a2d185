import type { KeptNode, KeptScreen } from "../../core/masks/keptScreen.ts";

/** Matches screens narrower than 768 px (SH6). */
const narrowScreen = "(max-width: 767.98px)";

export const isNarrowScreen = (window: Window): boolean => window.matchMedia(narrowScreen).matches;

/** The address of the page's stylesheet; empty before its link is parsed. */
export const stylesOf = (document: Document): string =>
  document.querySelector("link[rel=stylesheet]")?.getAttribute("href") ?? "";

const svg = "http://www.w3.org/2000/svg";
const html = "http://www.w3.org/1999/xhtml";

const build = (document: Document, node: KeptNode, space: string): Node => {
  if (typeof node === "string") return document.createTextNode(node);
  const [name, attributes, children] = node;
  const own = name === "svg" ? svg : space;
  const element = document.createElementNS(own, name) as HTMLElement;
  for (const attribute of Object.keys(attributes)) {
    const value = attributes[attribute] ?? "";
    // NOTE: the content security policy of the page refuses `setAttribute("style")`, but not the style by its object.
    if (attribute === "style") element.style.cssText = value;
    else element.setAttribute(attribute, value);
  }
  for (const child of children) element.append(build(document, child, own));
  return element;
};

declare global {
  interface Window {
    /** Resolves when the kept screen is painted; undefined where none is shown. */
    keptScreen?: Promise<void> | undefined;
  }
}

/** A hidden tab paints nothing, so the app does not wait longer than this, in milliseconds. */
const paintedWithinMs = 400;

const painted = (window: Window): Promise<void> =>
  new Promise((resolve) => {
    window.setTimeout(resolve, paintedWithinMs);
    // NOTE: one animation frame is too early: its callbacks run before it is painted.
    window.requestAnimationFrame(() => window.requestAnimationFrame(() => window.setTimeout(resolve)));
  });

/** The app has at most this time to show the list in place of the kept screen, in milliseconds. */
export const keptScreenForMs = 3_000;

/** True if the address opens the list as it is at first. */
const opensList = ({ pathname, hash }: Location): boolean => pathname === "/" && /^(?:#masks)?$/.test(hash);

const parse = (text: string | null): KeptScreen | null => {
  try {
    return JSON.parse(text ?? "null") as KeptScreen | null;
  } catch {
    return null;
  }
};

interface Shown {
  readonly theme: string;
  /** Returns a value of the browser's storage. */
  readonly read: (name: string) => string | null;
}

const fits = (window: Window, kept: KeptScreen, { theme, read }: Shown): boolean =>
  kept.owner === read("userEmail") &&
  kept.theme === theme &&
  kept.isNarrow === isNarrowScreen(window) &&
  // NOTE: `innerHeight` forces a layout, before anything is shown; a media query does not.
  !window.matchMedia(`(min-height: ${kept.height + 1}px)`).matches &&
  opensList(window.location) &&
  (read("cached_masks") ?? "").startsWith(kept.list);

/**
 * Shows the screen with the list as this user saw it last, until the app shows the same by itself: for the eyes only, nothing
 * of it can be pressed, focused or heard. Shows nothing when the list, its owner, the theme, the version or
 * the width of the page is another one. Calls `load` when the screen is painted, or at once where none is shown.
 */
export const showKeptScreen = (window: Window, shown: Shown, load: () => void): void => {
  const kept = parse(shown.read("keptScreen"));
  if (kept === null || !fits(window, kept, shown)) {
    load();
    return;
  }
  const { document } = window;
  const frame = { inert: "", "aria-hidden": "true", style: `min-height: ${kept.pageHeight}px` };
  const screen = build(document, ["div", frame, kept.nodes], html);
  const parsed = new MutationObserver(() => {
    const page = document.getElementById("page");
    if (page === null) return;
    parsed.disconnect();
    if (kept.styles === stylesOf(document)) {
      page.append(screen);
      window.keptScreen = painted(window).then(load);
    } else load();
  });
  parsed.observe(document, { subtree: true, childList: true });
};
