import type { ReactNode } from "react";
import styles from "./BareScreen.module.css";
import { classes } from "./classes.ts";
import { Logo } from "./Logo.tsx";

interface BareScreenProps {
  readonly brand: string;
  /** Stands in the upper corner. */
  readonly corner: ReactNode;
  /** How its middle is divided. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A page without tabs: the mark, one corner, and what it is about in the middle. */
export const BareScreen = ({ brand, corner, className, children }: BareScreenProps) => (
  <div className={styles.screen}>
    <header className={styles.top}>
      <Logo name={brand} />
      {corner}
    </header>
    <main className={classes(styles.middle, className)}>{children}</main>
  </div>
);
