import { type RefObject, useEffect, useRef } from "react";
import { runUnlessUserActs } from "../ui/unlessUserActs.ts";

/** The time in which the element that led here may still take the focus back. */
export const focusAgainMs = 450;

/**
 * Focuses the heading when a page appears, once more unless the focus is on the page or the user has gone on by then, and
 * when the focus is lost with something that is no longer shown: `count` says how many things are.
 */
export const usePageHeading = (count: number): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const focus = (): void => heading.current?.focus({ preventScroll: true });
    // Assistive technology moves the focus without a key or a pointer.
    const focusAgain = (): void => {
      if (!heading.current?.closest("main")?.contains(document.activeElement)) focus();
    };
    focus();
    return runUnlessUserActs(focusAgainMs, focusAgain);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was removed has lost the focus
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [count]);
  return heading;
};
