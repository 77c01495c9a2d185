import { type ReactNode, useId } from "react";
import { Card } from "./Card.tsx";
import styles from "./Panel.module.css";

interface PanelProps {
  readonly title: string;
  /** Explains what the panel counts and since when. */
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of the insights. */
export const Panel = ({ title, hint, children }: PanelProps) => {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={styles.panel}>
      <h2 id={id}>{title}</h2>
      <p className={styles.hint}>{hint}</p>
      {children}
    </Card>
  );
};

/** Says what will fill a panel that has no figures yet; the panel folds to one line. */
export const NothingYet = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.nothing}>{children}</p>
);

interface PanelPartProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A titled part of a panel. */
export const PanelPart = ({ title, children }: PanelPartProps) => (
  <div className={styles.part}>
    <h3 className={styles.partTitle}>{title}</h3>
    {children}
  </div>
);

/** A part of a panel that its title opens. */
export const FoldedPart = ({ title, children }: PanelPartProps) => (
  <details className={styles.folded}>
    <summary>
      <h3 className={styles.partTitle}>{title}</h3>
    </summary>
    {children}
  </details>
);
