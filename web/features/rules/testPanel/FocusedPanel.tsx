import { type ReactNode, useEffect, useRef } from "react";
import styles from "./TestPanel.module.css";

interface FocusedPanelProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Scrolls to newly shown content and gives it the focus. */
export const FocusedPanel = ({ label, children }: FocusedPanelProps) => {
  const panel = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "start" });
    panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <fieldset ref={panel} className={styles.opened} tabIndex={-1} aria-label={label}>
      {children}
    </fieldset>
  );
};
