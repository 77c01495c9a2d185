import { type ReactNode, useEffect, useRef } from "react";
import styles from "./TestPanel.module.css";

interface OpenedProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** What a press has opened further down: brought into sight, with the focus. */
export const Opened = ({ label, children }: OpenedProps) => {
  const place = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "start" });
    place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <fieldset ref={place} className={styles.opened} tabIndex={-1} aria-label={label}>
      {children}
    </fieldset>
  );
};
