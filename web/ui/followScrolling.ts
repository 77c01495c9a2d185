/**
 * Marks the page while it is scrolled down, which puts a floating button away; until it is scrolled up, or one of its ends is
 * in view. Returns the function that stops it.
 */
export const followScrolling = (): (() => void) => {
  const { documentElement: root } = document;
  let before = window.scrollY;
  const follow = (): void => {
    const top = window.scrollY;
    // At its ends a page may be drawn further than it scrolls.
    const isAtEnd = top + root.clientHeight >= root.scrollHeight - 1;
    if (top !== before) root.toggleAttribute("data-scrolled-down", top > Math.max(before, 0) && !isAtEnd);
    before = top;
  };
  window.addEventListener("scroll", follow, { passive: true });
  return () => {
    window.removeEventListener("scroll", follow);
    root.removeAttribute("data-scrolled-down");
  };
};
