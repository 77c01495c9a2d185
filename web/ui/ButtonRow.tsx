import type { ReactNode } from "react";
import styles from "./ButtonRow.module.css";

/** Buttons side by side; on a narrow screen as many as fit in a line. */
export const ButtonRow = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);
