import { attributeOf, type HtmlElement, isHtml } from "./htmlTags.ts";
import type { StyleValues, Values } from "./styleValues.ts";

const pixelsOf: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  q: 0.945,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  // Shares of a screen or of the element around.
  "%": 10,
  vw: 10,
  vh: 10,
  vmin: 10,
  vmax: 10,
};

/** Reads a length as pixels, about; null for none. */
const lengthOf = (value: string): number | null => {
  const inside = /^calc\(\s*([^()\s]+)\s*\)$/.exec(value)?.[1] ?? value;
  const match = /^([-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[-+]?\d{1,3})?)([a-z]{0,4}|%)$/.exec(
    inside,
  );
  const factor = pixelsOf[match?.[2] ?? " "];
  return match && factor !== undefined ? Number(match[1]) * factor : null;
};

/** Reads a length of an attribute (HTML, 2.3.4.4); null for none. */
const dimensionOf = (value: string | undefined): number | null => {
  const match = /^[ \t\r\n\f]*\+?(\d{1,20}(?:\.\d{0,20})?)(%?)/.exec(value ?? "");
  return match ? Number(match[1]) * (pixelsOf[match[2] ?? ""] ?? 1) : null;
};

const isEach = (values: Values, test: (value: string) => boolean): boolean =>
  values.every((value) => value !== undefined && test(value));

const isNothing = (value: string): boolean => Number.parseFloat(value) <= (value.endsWith("%") ? 1 : 0.01);

/** Elements whose contents a browser does not show, although it loads them. */
const unseenContents = new Set(["audio", "canvas", "datalist", "dialog", "meter", "progress", "rp"]);
/** Parts of drawings that are not shown, in which HTML may stand. */
const unseenParts = new Set(["defs", "desc", "metadata", "title"]);

const areContentsUnseen = (element: HtmlElement): boolean => {
  if (!isHtml(element)) return unseenParts.has(element.name);
  if (!unseenContents.has(element.name)) return false;
  return element.name !== "dialog" || attributeOf(element, "open") === undefined;
};

/** Elements that grow with their contents, whatever size they have. */
const growing = new Set(["table", "tbody", "thead", "tfoot", "tr", "td", "th"]);

const farAway = -500;

type Side = "width" | "height";

/** The checks whether elements are seen. */
export interface Sight {
  /** True if nobody sees an element: it is hidden, in a hidden one, or at most a pixel wide or high. */
  readonly isUnseen: (element: HtmlElement) => boolean;
  /** True if an element is seen and said to be larger than a pixel in both directions. */
  readonly isSized: (element: HtmlElement) => boolean;
}

export const createSight = ({ isStyled, find }: StyleValues): Sight => {
  const hidden = new Map<HtmlElement, boolean>();
  const invisible = new Map<HtmlElement, boolean>();

  const isHiddenItself = (element: HtmlElement): boolean => {
    if (!isStyled(element)) return attributeOf(element, "hidden") !== undefined;
    const display = find(element, "display");
    const isNone = (value: string | undefined): boolean =>
      value === undefined ? attributeOf(element, "hidden") !== undefined : value === "none";
    if (display.every(isNone)) return true;
    return (
      isEach(find(element, "opacity"), isNothing) ||
      isEach(find(element, "scale"), isNothing) ||
      isEach(find(element, "content-visibility"), (value) => value === "hidden") ||
      isEach(find(element, "transform"), (value) => /scale(?:x|y|3d)?\(\s*[-+]?0?\.?0*\s*[,)]/.test(value)) ||
      isEach(find(element, "clip"), (value) => /^rect\((?:\s*[01](?:px)?\s*,?){4}\)$/.test(value)) ||
      isEach(find(element, "clip-path"), (value) =>
        /^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0(?:px|%)?\s*[)a])/.test(value),
      ) ||
      ["left", "top", "right", "bottom", "margin-left", "margin-top"].some((property) =>
        isEach(find(element, property), (value) => (lengthOf(value) ?? 0) <= farAway),
      )
    );
  };

  /** The lengths that a side may have, as far as they are said; null for one that is not. */
  const lengthsOf = (
    element: HtmlElement,
    side: Side,
    prefix: "" | "max-" | "min-",
  ): readonly (number | null)[] =>
    find(element, `${prefix}${side}`, true).map((value) => {
      if (value !== undefined) return lengthOf(value);
      return prefix === "" ? dimensionOf(attributeOf(element, side)) : null;
    });

  const isAtMost = (element: HtmlElement, side: Side, limit: number): boolean => {
    const isSmall = (length: number | null): boolean => length !== null && length <= limit;
    const isGrown = lengthsOf(element, side, "min-").some((length) => length !== null && length > limit);
    return (
      !isGrown &&
      (lengthsOf(element, side, "").every(isSmall) || lengthsOf(element, side, "max-").every(isSmall))
    );
  };

  const isLarger = (element: HtmlElement, side: Side): boolean =>
    (["", "max-", "min-"] as const).some((prefix) =>
      lengthsOf(element, side, prefix).some((length) => length !== null && length > 1),
    );

  const isTiny = (element: HtmlElement): boolean =>
    (["width", "height"] as const).some((side) => {
      const other = side === "width" ? "height" : "width";
      if (isAtMost(element, side, 0)) return true;
      return isAtMost(element, side, 1) && (isAtMost(element, other, 1) || !isLarger(element, other));
    });

  /** True if an element shows nothing of its contents because it has no room. */
  const isClosed = (element: HtmlElement): boolean =>
    isHtml(element) &&
    isStyled(element) &&
    !growing.has(element.name) &&
    isEach(find(element, "overflow"), (value) => /^(?:hidden|clip)/.test(value)) &&
    (isAtMost(element, "width", 1) || isAtMost(element, "height", 1));

  /** True if an element, or one around it, hides it for good. */
  const isHidden = (element: HtmlElement): boolean => {
    const before = hidden.get(element);
    if (before !== undefined) return before;
    const { parent } = element;
    const result =
      isHiddenItself(element) ||
      (parent !== null && (areContentsUnseen(parent) || isClosed(parent) || isHidden(parent)));
    hidden.set(element, result);
    return result;
  };

  /** Visibility is inherited, and an element inside can be visible again. */
  const isInvisible = (element: HtmlElement): boolean => {
    const before = invisible.get(element);
    if (before !== undefined) return before;
    const values = find(element, "visibility");
    const isInherited = values.every((value) => value === undefined || value === "inherit");
    const result = isInherited
      ? element.parent !== null && isInvisible(element.parent)
      : isEach(values, (value) => value === "hidden" || value === "collapse");
    invisible.set(element, result);
    return result;
  };

  const isUnseen = (element: HtmlElement): boolean =>
    isTiny(element) || isHidden(element) || isInvisible(element);
  return {
    isUnseen,
    isSized: (element) => isLarger(element, "width") && isLarger(element, "height") && !isUnseen(element),
  };
};
