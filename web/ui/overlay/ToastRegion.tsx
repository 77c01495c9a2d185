import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../Button.tsx";
import { classes } from "../classes.ts";
import { CloseIcon } from "../icons/CloseIcon.tsx";
import { KindIcon, type NoticeKind } from "../icons/KindIcon.tsx";
import styles from "./ToastRegion.module.css";

export interface ToastItem {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly text: string;
  /** The number of times that the message occurred; shown from two on. */
  readonly count?: number | undefined;
  /** A button beside the text, such as "Undo"; a press also closes the toast. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

export interface ToastRegionProps {
  readonly toasts: readonly ToastItem[];
  /** The one of them that is shown; the others wait. */
  readonly shown: ToastItem | undefined;
  readonly onClose: (id: string) => void;
  /** Called with true when a pointer or the focus enters the region and with false when it leaves, to pause the timers. */
  readonly onKeepOpen?: ((isKeptOpen: boolean) => void) | undefined;
  readonly label?: string | undefined;
}

/** True if a screen reader interrupts what it says: for failures, and for what concerns who gets at the account. */
const isPressing = ({ kind }: ToastItem): boolean => kind === "error" || kind === "security";

const isTouched = (element: HTMLElement): boolean =>
  element.matches(":hover") || element.contains(document.activeElement);

/** The text of a toast: its first lines, and the rest after a press on "More". */
const ToastText = ({ toast }: { readonly toast: ToastItem }) => {
  const text = useRef<HTMLSpanElement>(null);
  const [isLong, setLong] = useState(false);
  const [isWhole, setWhole] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or count has another height
  useLayoutEffect(() => {
    const { current: element } = text;
    if (element === null) return;
    const measure = (): void => {
      if (!isWhole) setLong(element.scrollHeight > element.clientHeight + 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [toast.text, toast.count, isWhole]);
  return (
    <span className={styles.words}>
      <span ref={text} className={classes(styles.text, isWhole && styles.whole)}>
        <span>{toast.text}</span>
        {(toast.count ?? 1) > 1 && <span className={styles.count}> ×{toast.count}</span>}
      </span>
      {isLong && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Less" : "More"}
        </button>
      )}
    </span>
  );
};

interface ToastListProps {
  readonly toasts: readonly ToastItem[];
  /** The one that is shown; the others wait. */
  readonly shown: ToastItem | undefined;
  /** The number of toasts, with those of the other list. */
  readonly total: number;
  readonly onClose: (id: string) => void;
  readonly urgency: "polite" | "assertive";
}

const ToastList = ({ toasts, shown, total, onClose, urgency }: ToastListProps) => (
  <div aria-live={urgency} aria-relevant="additions text" aria-atomic="false">
    {toasts.map((toast) => (
      <div key={toast.id} className={styles.toast} hidden={toast !== shown}>
        <KindIcon kind={toast.kind} className={styles.icon} />
        <ToastText toast={toast} />
        {total > 1 && <span className={styles.place}>1 of {total}</span>}
        {toast.action !== undefined && (
          <Button
            size="small"
            className={styles.action}
            onPress={() => {
              toast.action?.run();
              onClose(toast.id);
            }}
          >
            {toast.action.label}
          </Button>
        )}
        <button type="button" className={styles.close} aria-label="Close" onClick={() => onClose(toast.id)}>
          <CloseIcon size={16} />
        </button>
      </div>
    ))}
  </div>
);

const shownToast = "[aria-live] > :not([hidden])";

/** The events that end a press; a context menu may take the last one away. */
const releases = ["pointerup", "pointercancel", "contextmenu"];

/**
 * Tells the page the height of the place, which it keeps clear below, and scrolls the control that has the focus out of it.
 * While a pointer is pressed nothing moves under it.
 */
const useReservedPlace = (region: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const { current: element } = region;
    if (element === null) return;
    const { style } = document.documentElement;
    let isPressed = false;
    const reserve = (): void => {
      if (isPressed) return;
      style.setProperty("--toast-height", `${element.offsetHeight}px`);
      const place = element.getBoundingClientRect();
      const { activeElement: focused } = document;
      if (!(focused instanceof HTMLElement) || focused.tabIndex < 0 || element.contains(focused)) return;
      const { top, bottom } = focused.getBoundingClientRect();
      if (top < place.bottom && bottom > place.top) focused.scrollIntoView({ block: "nearest" });
    };
    const observer = new ResizeObserver(reserve);
    observer.observe(element);
    let frame = 0;
    const press = ({ isPrimary, button }: PointerEvent): void => {
      if (isPrimary && button === 0) isPressed = true;
    };
    const release = (event: Event): void => {
      const isOfOther = event.type.startsWith("pointer") && !(event as PointerEvent).isPrimary;
      if (!isPressed || isOfOther) return;
      isPressed = false;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(reserve);
    };
    window.addEventListener("pointerdown", press, true);
    for (const type of releases) window.addEventListener(type, release, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      for (const type of releases) window.removeEventListener(type, release, true);
      cancelAnimationFrame(frame);
      observer.disconnect();
      style.removeProperty("--toast-height");
    };
  }, [region]);
};

/**
 * The place of toasts at the lower edge of the window, one at a time with the number of them. The page ends above it: what
 * stands at the window's edge moves up, dialogs leave room, and the rest scrolls out of it.
 * F6 moves the focus to it and back; Escape closes it. Screen readers announce errors at once and the rest at the next pause.
 * The caller decides which toast is shown and how long, and pauses that time by `onKeepOpen`. After a toast is closed by keyboard, the
 * focus moves to the next toast, or back to the element it came from after the last one.
 * Keep the region mounted while it is empty; otherwise the first toast is not announced.
 */
export const ToastRegion = ({ toasts, shown, onClose, onKeepOpen, label = "Messages" }: ToastRegionProps) => {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<HTMLElement | null>(null);
  const isKeptOpen = useRef(false);
  useReservedPlace(region);

  const keepOpen = (willBeOpen: boolean): void => {
    if (isKeptOpen.current === willBeOpen) return;
    isKeptOpen.current = willBeOpen;
    onKeepOpen?.(willBeOpen);
  };

  // An element that is removed under the pointer or with the focus inside sends no leave event.
  useEffect(() => {
    const { current: element } = region;
    if (element === null || (toasts.length > 0 && isTouched(element)) || !isKeptOpen.current) return;
    isKeptOpen.current = false;
    onKeepOpen?.(false);
  }, [toasts, onKeepOpen]);

  const enter = (event: FocusEvent<HTMLElement>): void => {
    const from = event.relatedTarget;
    if (from instanceof HTMLElement && !event.currentTarget.contains(from)) previousFocus.current = from;
    keepOpen(true);
  };

  useEffect(() => {
    const goToToast = (event: KeyboardEvent): void => {
      if (event.key !== "F6" || event.defaultPrevented) return;
      const isInside = region.current?.contains(document.activeElement) === true;
      const target = isInside
        ? previousFocus.current
        : region.current?.querySelector<HTMLElement>(`${shownToast} button`);
      if (!target) return;
      event.preventDefault();
      target.focus();
    };
    window.addEventListener("keydown", goToToast);
    return () => window.removeEventListener("keydown", goToToast);
  }, []);

  // The focus goes on to the toast that has taken the place of its own, or back to where it came from.
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const isInHidden = region.current?.querySelector("[hidden]:focus-within") != null;
    if (!hadFocus.current && !isInHidden) return;
    hadFocus.current = false;
    (region.current?.querySelector<HTMLElement>(`${shownToast} button`) ?? previousFocus.current)?.focus();
  });

  const close = (id: string): void => {
    hadFocus.current = region.current?.contains(document.activeElement) === true;
    onClose(id);
  };

  const list = { shown, total: toasts.length, onClose: close };
  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={label}
      // An open modal dialog hides everything from screen readers except elements with this attribute.
      data-react-aria-top-layer="true"
      onPointerEnter={() => keepOpen(true)}
      onPointerLeave={() => keepOpen(false)}
      onFocus={enter}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || shown === undefined) return;
        event.stopPropagation();
        close(shown.id);
      }}
      onBlur={(event) => keepOpen(event.currentTarget.contains(event.relatedTarget))}
    >
      <ToastList {...list} toasts={toasts.filter((toast) => !isPressing(toast))} urgency="polite" />
      <ToastList {...list} toasts={toasts.filter(isPressing)} urgency="assertive" />
    </section>
  );
};
