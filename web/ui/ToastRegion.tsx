import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import { CloseIcon } from "./icons.tsx";
import { KindIcon, type NoticeKind } from "./KindIcon.tsx";
import styles from "./ToastRegion.module.css";
import { findToastPlace, type ToastPlace, visibleControls } from "./toastPlace.ts";

export interface ToastItem {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly text: string;
  /** How often the message occurred; shown from two on. */
  readonly count?: number | undefined;
  /** A button beside the text, such as "Undo"; a press also closes the toast. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

export interface ToastRegionProps {
  readonly toasts: readonly ToastItem[];
  readonly onClose: (id: string) => void;
  /** Called with true when a pointer or the focus enters the region and with false when it leaves, to pause the timers. */
  readonly onHold?: ((isHeld: boolean) => void) | undefined;
  readonly label?: string | undefined;
}

/** After this time a dialog that was closed with the message is gone, and a list shows its change. */
const settledMs = 300;

const isTouched = (element: HTMLElement): boolean =>
  element.matches(":hover") || element.contains(document.activeElement);

interface ToastListProps {
  readonly toasts: readonly ToastItem[];
  readonly onClose: (id: string, button: HTMLButtonElement) => void;
  readonly urgency: "polite" | "assertive";
}

const ToastList = ({ toasts, onClose, urgency }: ToastListProps) => (
  <div className={styles.list} aria-live={urgency} aria-relevant="additions text" aria-atomic="false">
    {toasts.map((toast) => (
      <div key={toast.id} className={classes(styles.toast, styles[toast.kind])}>
        <KindIcon kind={toast.kind} className={styles.icon} />
        <span className={styles.text}>
          <span>{toast.text}</span>
          {(toast.count ?? 1) > 1 && <span className={styles.count}> ×{toast.count}</span>}
        </span>
        {toast.action !== undefined && (
          <Button
            size="small"
            className={styles.action}
            onPress={(event) => {
              toast.action?.run();
              onClose(toast.id, event.currentTarget);
            }}
          >
            {toast.action.label}
          </Button>
        )}
        <button
          type="button"
          className={styles.close}
          aria-label="Close"
          onClick={(event) => onClose(toast.id, event.currentTarget)}
        >
          <CloseIcon size={16} />
        </button>
      </div>
    ))}
  </div>
);

/** Keeps a region with toasts off the controls of the page; a toast that is shown stays where it is while the page scrolls. */
const usePlace = (region: RefObject<HTMLElement | null>, toasts: readonly ToastItem[]): void => {
  useLayoutEffect(() => {
    const { current: element } = region;
    if (element === null || toasts.length === 0) return;
    const find = (isNarrow: boolean): ToastPlace => {
      element.toggleAttribute("data-narrow", isNarrow);
      element.style.removeProperty("--toast-bottom");
      const { right, bottom } = getComputedStyle(element);
      const boxes = [...element.children]
        .flatMap((list) => [...list.children])
        .map((toast) => toast.getBoundingClientRect());
      const { clientWidth: width, clientHeight: height } = document.documentElement;
      return findToastPlace({
        window: { width, height },
        margins: { side: Number.parseFloat(right) || 0, bottom: Number.parseFloat(bottom) || 0 },
        toasts: {
          width: Math.max(...boxes.map((box) => box.width)),
          height: element.getBoundingClientRect().height,
        },
        controls: visibleControls(element),
      });
    };
    const place = (): void => {
      const wide = find(false);
      const narrow = wide.covered > 0 ? find(true) : wide;
      const best = narrow.covered < wide.covered ? narrow : find(false);
      element.style.setProperty("--toast-bottom", `${best.bottom}px`);
      element.dataset["side"] = best.side;
    };
    place();
    // The layout settles a moment after a press.
    const later = setTimeout(place, settledMs);
    window.addEventListener("resize", place);
    return () => {
      clearTimeout(later);
      window.removeEventListener("resize", place);
    };
  }, [region, toasts]);
};

/**
 * The region above the page where toasts appear. Screen readers announce errors at once and the rest at the next pause.
 * The caller decides how long a toast is shown and pauses that time by `onHold`. After a toast is closed by keyboard, the
 * focus moves to the next toast, or back to the element it came from after the last one.
 * Keep the region mounted while it is empty; otherwise the first toast is not announced.
 */
export const ToastRegion = ({ toasts, onClose, onHold, label = "Messages" }: ToastRegionProps) => {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<HTMLElement | null>(null);
  const isHeld = useRef(false);
  usePlace(region, toasts);

  const hold = (willBeHeld: boolean): void => {
    if (isHeld.current === willBeHeld) return;
    isHeld.current = willBeHeld;
    onHold?.(willBeHeld);
  };

  // An element that is removed under the pointer or with the focus inside sends no leave event.
  useEffect(() => {
    const { current: element } = region;
    if (element === null || (toasts.length > 0 && isTouched(element)) || !isHeld.current) return;
    isHeld.current = false;
    onHold?.(false);
  }, [toasts, onHold]);

  const enter = (event: FocusEvent<HTMLElement>): void => {
    const from = event.relatedTarget;
    if (from instanceof HTMLElement && !event.currentTarget.contains(from)) previousFocus.current = from;
    hold(true);
  };

  const close = (id: string, button: HTMLButtonElement): void => {
    if (document.activeElement === button) {
      const buttons = [...(region.current?.querySelectorAll("button") ?? [])];
      const at = buttons.indexOf(button);
      (buttons[at + 1] ?? buttons[at - 1] ?? previousFocus.current)?.focus();
    }
    onClose(id);
  };

  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={label}
      // An open modal dialog hides everything from screen readers except elements with this attribute.
      data-react-aria-top-layer="true"
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={enter}
      onBlur={(event) => hold(event.currentTarget.contains(event.relatedTarget))}
    >
      <ToastList toasts={toasts.filter((toast) => toast.kind !== "error")} onClose={close} urgency="polite" />
      <ToastList
        toasts={toasts.filter((toast) => toast.kind === "error")}
        onClose={close}
        urgency="assertive"
      />
    </section>
  );
};
