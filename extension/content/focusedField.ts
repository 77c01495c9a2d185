interface ShadowAccess {
  readonly dom?: { readonly openOrClosedShadowRoot: (element: Element) => ShadowRoot | null };
}

/** Returns the shadow root of an element, which browsers show to extensions also where a page does not. */
export const shadowRootOf = (element: Element): ShadowRoot | null => {
  if (!(element instanceof HTMLElement)) return null;
  const { chrome } = globalThis as { readonly chrome?: ShadowAccess };
  const { openOrClosedShadowRoot: ofFirefox } = element as { readonly openOrClosedShadowRoot?: ShadowRoot };
  return chrome?.dom?.openOrClosedShadowRoot(element) ?? ofFirefox ?? element.shadowRoot;
};

/** The most shadow roots within each other that are looked into. */
const maxDepth = 20;

/** Returns the element that has the focus, in whatever shadow root it is. */
const focusedElement = (): Element | null => {
  let element = document.activeElement;
  for (let depth = 0; element !== null && depth < maxDepth; depth += 1) {
    const inner: Element | null = shadowRootOf(element)?.activeElement ?? null;
    if (inner === null) return element;
    element = inner;
  }
  return element;
};

/** Returns the field that the user types into; null where the focus is elsewhere. */
export const focusedField = (): HTMLInputElement | null => {
  const element = focusedElement();
  return element instanceof HTMLInputElement ? element : null;
};

const minEdgePx = 8;
/** The least opacity, of an element and all around it together, at which it counts as seen. */
const minOpacity = 0.2;
/** The most elements around one that are asked for their opacity. */
const maxAround = 200;

/** Returns the element that another one is painted in. */
const around = (element: Element): Element | null => {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};

/** Returns the opacity that a filter sets, as in "opacity(0.01)". */
const filterOpacity = (filter: string): number => {
  const [, value, percent] = /opacity\(([\d.e-]+)(%?)\)/.exec(filter) ?? [];
  return value === undefined ? 1 : Number(value) / (percent === "%" ? 100 : 1);
};

/** True if the page fades an element, or what it stands in, until a user hardly sees it. */
const isFaded = (element: Element): boolean => {
  let opacity = 1;
  let each: Element | null = element;
  for (let depth = 0; each !== null && depth < maxAround && opacity >= minOpacity; depth += 1) {
    const style = getComputedStyle(each);
    opacity *= Number(style.opacity || 1) * filterOpacity(style.filter ?? "");
    each = around(each);
  }
  return opacity < minOpacity;
};

/** True if a user can see the element: it has a size, is in the window, and nothing makes it invisible or fades it. */
export const isPlainlyVisible = (element: Element): boolean => {
  const { width, height, top, left, bottom, right } = element.getBoundingClientRect();
  if (width < minEdgePx || height < minEdgePx) return false;
  if (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) return false;
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isFaded(element);
};

/**
 * True if this frame is of the site that the address bar names: the page itself, or a frame of its own origin. A frame of
 * another origin, or one that the page keeps in a sandbox, is not the user's site.
 */
export const isOwnFrame = (): boolean => {
  try {
    return window.origin !== "null" && window.top?.origin === window.origin;
  } catch {
    return false;
  }
};
