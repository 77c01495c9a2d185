/** Watches whether a browser paints an element whole and unveiled; one that does not tell (Firefox) is not asked. */
export interface VisibilityWatch {
  readonly start: () => void;
  readonly stop: () => void;
  /** False until the browser has said that nothing of the page changes, covers or fades the element. */
  readonly isUnveiled: () => boolean;
}

interface TrackedEntry {
  readonly isVisible?: boolean;
}

/** The least time between two looks that a browser allows, in milliseconds. */
const lookEachMs = 100;

export const watchVisibility = (element: Element): VisibilityWatch => {
  if (!("IntersectionObserverEntry" in globalThis && "isVisible" in IntersectionObserverEntry.prototype))
    return { start: () => {}, stop: () => {}, isUnveiled: () => true };
  let isVisible = false;
  const options = { threshold: [1], trackVisibility: true, delay: lookEachMs };
  const observer = new IntersectionObserver((entries) => {
    isVisible = (entries.at(-1) as TrackedEntry | undefined)?.isVisible === true;
  }, options);
  return {
    start: () => observer.observe(element),
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
  readonly parent: Node;
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
