import { shadowRootOf } from "./focusedField.ts";

/** Watches whether anything of the page is painted over a button, or fades it, and lets presses through. */
export interface VisibilityWatch {
  readonly start: () => void;
  readonly stop: () => void;
  /** False until it is certain that nothing of the page covers or fades the button. */
  readonly isUnveiled: () => boolean;
}

interface TrackedEntry {
  readonly isVisible?: boolean;
}

/** The least time between two looks that a browser allows, in milliseconds. */
const lookEachMs = 100;

/** The most elements of a page that are looked through. */
const maxElements = 20_000;

/** Returns all parts of the page that can be looked through; null for more elements than that. */
const partsOfPage = (): readonly ParentNode[] | null => {
  const parts: ParentNode[] = [document];
  let seen = 0;
  for (const part of parts) {
    const elements = part.querySelectorAll("*");
    seen += elements.length;
    if (seen > maxElements) return null;
    for (const element of elements) {
      const inner = shadowRootOf(element);
      if (inner !== null) parts.push(inner);
    }
  }
  return parts;
};

/** True if nothing of the page is where alone it could cover the host, which is in the browser's top layer. */
const isAloneOnTop = (host: HTMLElement): boolean => {
  const onTop = partsOfPage()?.flatMap((part) => [
    ...part.querySelectorAll(":popover-open, :modal, :fullscreen"),
  ]);
  return onTop?.every((element) => element.contains(host)) ?? false;
};

/** Watches a button in its host. A browser that does not tell what it paints (Firefox) is asked what could cover the host. */
export const watchVisibility = (host: HTMLElement, button: Element): VisibilityWatch => {
  if (!("IntersectionObserverEntry" in globalThis && "isVisible" in IntersectionObserverEntry.prototype))
    return { start: () => {}, stop: () => {}, isUnveiled: () => isAloneOnTop(host) };
  let isVisible = false;
  const options = { threshold: [1], trackVisibility: true, delay: lookEachMs };
  const observer = new IntersectionObserver((entries) => {
    isVisible = (entries.at(-1) as TrackedEntry | undefined)?.isVisible === true;
  }, options);
  return {
    start: () => observer.observe(button),
    stop: () => {
      observer.disconnect();
      isVisible = false;
    },
    isUnveiled: () => isVisible,
  };
};

/** Where the extension has put its host, in pixels of the window, and how it has styled it. */
export interface ShownHost {
  readonly left: number;
  readonly top: number;
  /** The text of its style attribute. */
  readonly style: string | null;
  readonly parent: Node | null;
}

/** The pixels by which browsers round a place. */
const roundingPx = 1;

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= roundingPx;

type Point = Pick<MouseEvent, "clientX" | "clientY" | "detail">;

/** Returns where a press is: that of a key or of a screen reader is in the middle. */
const pointOf = ({ detail, clientX, clientY }: Point, { left, top, width, height }: DOMRect) =>
  detail === 0 ? { x: left + width / 2, y: top + height / 2 } : { x: clientX, y: clientY };

/**
 * True if a press on a button is one on what the user was shown: the page has not restyled, moved, grown or hidden the host of
 * the button, and has put nothing over it that takes the press.
 */
export const isPressAsShown = (
  host: HTMLElement,
  button: HTMLElement,
  shown: ShownHost,
  press: Point,
): boolean => {
  if (host.getAttribute("style") !== shown.style || host.parentNode !== shown.parent) return false;
  const place = host.getBoundingClientRect();
  const rect = button.getBoundingClientRect();
  if (!isNear(place.left, shown.left) || !isNear(place.top, shown.top)) return false;
  if (!isNear(rect.left, place.left) || !isNear(rect.top, place.top)) return false;
  // A scaled or zoomed box has another size in the window than in its own layout.
  if (!isNear(rect.width, button.offsetWidth) || !isNear(rect.height, button.offsetHeight)) return false;
  const { x, y } = pointOf(press, rect);
  if (x < rect.left || x > rect.right || y < rect.top || y > rect.bottom) return false;
  return (host.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y) === host;
};
