import type { ReactNode } from "react";
import { classes } from "../classes.ts";
import { Logo } from "../icons/Logo.tsx";
import styles from "./BareScreen.module.css";

interface BareScreenProps {
  readonly brand: string;
  /** Content of the upper corner, such as the theme toggle. */
  readonly corner: ReactNode;
  /** Extra class for the layout of the main area. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A page without tabs: the logo, one corner element and the main content. */
export const BareScreen = ({ brand, corner, className, children }: BareScreenProps) => (
  <div className={styles.screen}>
    <header className={styles.top}>
      <Logo name={brand} />
      {corner}
    </header>
    <main className={classes(styles.middle, className)}>{children}</main>
  </div>
);
