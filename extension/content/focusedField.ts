interface ShadowAccess {
  readonly dom?: { readonly openOrClosedShadowRoot: (element: Element) => ShadowRoot | null };
}

/** Returns the shadow root of an element, which browsers show to extensions also where a page does not. */
const shadowRootOf = (element: Element): ShadowRoot | null => {
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

/** True if a user can see the element: it has a size, is in the window, and nothing makes it invisible. */
export const isPlainlyVisible = (element: Element): boolean => {
  const { width, height, top, left, bottom, right } = element.getBoundingClientRect();
  if (width < minEdgePx || height < minEdgePx) return false;
  if (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) return false;
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
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
