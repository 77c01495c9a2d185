import { type ReactNode, useId } from "react";
import { Card } from "../ui/Card.tsx";
import styles from "./Panel.module.css";

interface PanelProps {
  readonly title: string;
  /** What is counted here, and since when. */
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

/** One part of the insights, with its name and what its figures mean. */
export const Panel = ({ title, hint, children }: PanelProps) => {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={styles.panel}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      <p className={styles.hint}>{hint}</p>
      {children}
    </Card>
  );
};

/** Stands in a panel where nothing has been counted yet. */
export const NothingYet = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.nothing}>{children}</p>
);

/** A part of a panel with a name of its own. */
export const PanelPart = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={styles.part}>
    <h3 className={styles.partTitle}>{title}</h3>
    {children}
  </div>
);
