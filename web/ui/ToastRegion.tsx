import { type FocusEvent, useEffect, useRef } from "react";
import { classes } from "./classes.ts";
import { CloseIcon } from "./icons/CloseIcon.tsx";
import { KindIcon, type NoticeKind } from "./KindIcon.tsx";
import styles from "./ToastRegion.module.css";

export interface ToastItem {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly text: string;
  /** How often it was said; a figure stands behind it from two on. */
  readonly count?: number | undefined;
}

export interface ToastRegionProps {
  readonly toasts: readonly ToastItem[];
  readonly onClose: (id: string) => void;
  /** Called when a pointer or the focus enters the region and when it leaves: the moment to stop and restart clocks. */
  readonly onHold?: ((isHeld: boolean) => void) | undefined;
  readonly label?: string | undefined;
}

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

/**
 * Where passing messages appear, above everything else. Errors interrupt a screen reader, the rest wait for a pause.
 * It only shows: how long a message lives is the caller's, who is told while somebody holds on to the region. A message
 * closed by the keyboard hands the focus to the next one, the last one back to where it came from.
 * Keep it mounted when it is empty, or the first message is not spoken.
 */
export const ToastRegion = ({ toasts, onClose, onHold, label = "Messages" }: ToastRegionProps) => {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<HTMLElement | null>(null);
  const isHeld = useRef(false);

  const hold = (willBeHeld: boolean): void => {
    if (isHeld.current === willBeHeld) return;
    isHeld.current = willBeHeld;
    onHold?.(willBeHeld);
  };

  // What is removed under the pointer or with the focus in it never says that they left.
  useEffect(() => {
    const { current: element } = region;
    if (element === null || (toasts.length > 0 && isTouched(element)) || !isHeld.current) return;
    isHeld.current = false;
    onHold?.(false);
  }, [toasts, onHold]);

  const enter = (event: FocusEvent<HTMLElement>): void => {
    const from = event.relatedTarget;
    if (from instanceof HTMLElement && !event.currentTarget.contains(from)) cameFrom.current = from;
    hold(true);
  };

  const close = (id: string, button: HTMLButtonElement): void => {
    if (document.activeElement === button) {
      const buttons = [...(region.current?.querySelectorAll("button") ?? [])];
      const at = buttons.indexOf(button);
      (buttons[at + 1] ?? buttons[at - 1] ?? cameFrom.current)?.focus();
    }
    onClose(id);
  };

  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={label}
      // An open modal dialog hides all the page from a screen reader except what bears this mark.
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
