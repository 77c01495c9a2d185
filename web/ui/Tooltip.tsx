import { type RefObject, useEffect, useRef, useState } from "react";
import { Tooltip, TooltipTriggerStateContext } from "react-aria-components/Tooltip";
import { classes } from "./classes.ts";
import styles from "./Tooltip.module.css";

/**
 * The time for which the pointer rests before a tooltip shows; after one has closed, for the same time the next shows at once.
 */
const restMs = 500;

/** The state that the library asks for; the listeners below decide. */
const shownState = { isOpen: true, shouldSkipAnimation: true, open: () => undefined, close: () => undefined };

interface Named {
  readonly element: HTMLElement;
  readonly text: string;
}

/** Returns the control with a tooltip in which an event has happened; none while the control shows a popup. */
const namedIn = ({ target }: Event): Named | null => {
  const face = target instanceof Element ? target.closest("button, a, [data-tip]") : null;
  const tip = face?.matches("[data-tip]") ? face : face?.querySelector("[data-tip]");
  const element = tip?.closest<HTMLElement>("button, a");
  const text = tip?.getAttribute("data-tip");
  if (!tip || !element || !text || element.getAttribute("aria-expanded") === "true") return null;
  // The browser's own tooltip would stand beside this one.
  tip.removeAttribute("title");
  return { element, text };
};

/** The keys that move the focus. */
const movingKeys: ReadonlySet<string> = new Set([
  "Tab",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
]);

/**
 * Shows the tooltip of whichever icon button the pointer rests on or the keyboard moves to; one for the whole page. Focus that
 * returns from a dialog or a menu shows none. Until it is loaded, and for a visitor, the browser shows the title of the
 * button. Escape, a press and scrolling close it. It repeats the button's name, so screen readers are not told of it.
 */
export const Tooltips = () => {
  const [shown, setShown] = useState<Named | null>(null);
  const trigger: RefObject<HTMLElement | null> = useRef(null);
  useEffect(() => {
    let timer = 0;
    let isOpen = false;
    let isMoving = false;
    let closedAt = Number.NEGATIVE_INFINITY;
    const close = (): void => {
      window.clearTimeout(timer);
      trigger.current = null;
      if (!isOpen) return;
      isOpen = false;
      closedAt = performance.now();
      setShown(null);
    };
    const show = (found: Named | null, isImmediate: boolean): void => {
      if (found !== null && found.element === trigger.current) return;
      close();
      if (found === null) return;
      const isWarm = performance.now() - closedAt < restMs;
      trigger.current = found.element;
      const open = (): void => {
        isOpen = true;
        setShown(found);
      };
      if (isImmediate || isWarm) open();
      else timer = window.setTimeout(open, restMs);
    };
    const point = (event: PointerEvent): void => {
      if (event.pointerType !== "touch") show(namedIn(event), false);
    };
    const focus = (event: FocusEvent): void => {
      if (isMoving && event.target instanceof Element && event.target.matches(":focus-visible"))
        show(namedIn(event), true);
    };
    const key = ({ key }: KeyboardEvent): void => {
      isMoving = movingKeys.has(key);
      if (key === "Escape") close();
    };
    const stay = (): void => {
      isMoving = false;
    };
    const listeners = [
      ["pointerover", point],
      ["focusin", focus],
      ["focusout", close],
      ["pointerdown", close],
      ["pointerdown", stay],
      ["scroll", close],
      ["keydown", key],
      ["keyup", stay],
    ] as const;
    const capture = { capture: true, passive: true } as const;
    for (const [name, listen] of listeners)
      document.addEventListener(name, listen as (event: Event) => void, capture);
    return () => {
      close();
      for (const [name, listen] of listeners)
        document.removeEventListener(name, listen as (event: Event) => void, capture);
    };
  }, []);
  if (shown === null) return null;
  return (
    <TooltipTriggerStateContext value={shownState}>
      <Tooltip
        className={classes(styles.tooltip)}
        triggerRef={trigger}
        offset={6}
        placement="bottom"
        render={(props) => <div {...props} aria-hidden="true" />}
      >
        {shown.text}
      </Tooltip>
    </TooltipTriggerStateContext>
  );
};
