import { type RefObject, useEffect, useRef } from "react";
import { layersIn } from "../ui/overlay/useBackToClose.ts";

/** A part of the page that takes the focus on request: the content, a section, or something of the list of masks. */
export type FocusTarget =
  | "content"
  | "plan"
  | "archive"
  | "log settings"
  | "search"
  | "selection"
  | "next mask"
  | "mask before";

/** After this time nobody waits any more for a part that is not shown. */
const waitMs = 15_000;

const targets = new Map<FocusTarget, () => void>();
let waiting: FocusTarget | undefined;
let stopWaiting = (): void => {};

/** Gives the focus to a part of the page: now, or once it is shown, unless something else is gone to before. */
export const giveFocus = (target: FocusTarget): void => {
  stopWaiting();
  const take = targets.get(target);
  if (take !== undefined) {
    take();
    return;
  }
  waiting = target;
  const timer = setTimeout(() => stopWaiting(), waitMs);
  const end = layersIn(window).onMove(() => stopWaiting());
  stopWaiting = () => {
    waiting = undefined;
    clearTimeout(timer);
    end();
  };
};

/** Says how a part that is shown takes the focus; returns what ends it. A request that waits for the part is met at once. */
export const onFocusGiven = (target: FocusTarget, take: () => void): (() => void) => {
  targets.set(target, take);
  if (waiting === target) giveFocus(target);
  return () => targets.delete(target);
};

/** Scrolls to a part and focuses it on request. Attach the ref to its heading, with `tabIndex={-1}`. */
export const useFocusTarget = <E extends HTMLElement>(target: FocusTarget): RefObject<E | null> => {
  const element = useRef<E>(null);
  useEffect(
    () =>
      onFocusGiven(target, () => {
        element.current?.scrollIntoView({ block: "start" });
        element.current?.focus({ preventScroll: true });
      }),
    [target],
  );
  return element;
};
