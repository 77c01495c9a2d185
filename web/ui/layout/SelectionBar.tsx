import type { ReactNode } from "react";
import { Checkbox } from "../form/Checkbox.tsx";
import styles from "./SelectionBar.module.css";

interface SelectionBarProps {
  /** Names the bar: "Selected mail". */
  readonly label: string;
  readonly count: number;
  readonly isAll: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
  /** What can be done with what is selected. */
  readonly children: ReactNode;
}

/** Selects all of a list, and offers what can be done with what is selected. It stays in sight while the list scrolls. */
export const SelectionBar = ({ label, count, isAll, onSelectAll, children }: SelectionBarProps) => (
  <section className={styles.bar} aria-label={label}>
    <Checkbox label="Select all" isChecked={isAll} onChange={onSelectAll} />
    {count > 0 && <div className={styles.actions}>{children}</div>}
    <span className={styles.count} role="status">
      {count > 0 && `${count} selected`}
    </span>
  </section>
);
