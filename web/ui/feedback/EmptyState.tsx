import type { ReactNode } from "react";
import styles from "./EmptyState.module.css";

export interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly illustration?: ReactNode;
  readonly action?: ReactNode;
}

/** A placeholder for a list or page without content: what belongs here, and the action that adds it. */
export const EmptyState = ({ title, children, illustration, action }: EmptyStateProps) => (
  <div className={styles.empty}>
    {illustration !== undefined && (
      <div className={styles.illustration} aria-hidden="true">
        {illustration}
      </div>
    )}
    <p className={styles.title}>{title}</p>
    {children !== undefined && <div className={styles.text}>{children}</div>}
    {action !== undefined && <div className={styles.action}>{action}</div>}
  </div>
);
