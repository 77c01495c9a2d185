import type { ReactNode } from "react";
import styles from "./ButtonRow.module.css";
import { classes } from "./classes.ts";

export interface ButtonRowProps {
  /** The row begins with a quiet button: its words stand in line with those above. */
  readonly startsQuiet?: boolean;
  readonly children: ReactNode;
}

/** Buttons side by side; on a narrow screen as many as fit in a line. */
export const ButtonRow = ({ startsQuiet = false, children }: ButtonRowProps) => (
  <div className={classes(styles.row, startsQuiet && styles.startsQuiet)}>{children}</div>
);
