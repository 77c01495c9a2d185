import type { ReactNode, Ref } from "react";
import { classes } from "../classes.ts";
import styles from "./layout.module.css";

export interface PageHeadProps {
  readonly title: string;
  /** Makes the title focusable by script. */
  readonly titleRef?: Ref<HTMLHeadingElement> | undefined;
  /** Content at the other end of the line, such as the page's main action. */
  readonly children?: ReactNode;
}

/** The title line of a page. */
export const PageHead = ({ title, titleRef, children }: PageHeadProps) => (
  <div className={styles.head}>
    <h1 ref={titleRef} tabIndex={titleRef === undefined ? undefined : -1}>
      {title}
    </h1>
    {children}
  </div>
);

export interface ButtonRowProps {
  /** The first button is quiet: its label aligns with the text above it. */
  readonly startsQuiet?: boolean;
  readonly children: ReactNode;
}

/** Lays out buttons side by side and wraps them on a narrow screen. */
export const ButtonRow = ({ startsQuiet = false, children }: ButtonRowProps) => (
  <div className={classes(styles.row, startsQuiet && styles.startsQuiet)}>{children}</div>
);

/** Lays out fields that belong together side by side, and below each other on a narrow screen. */
export const FieldColumns = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

/** Lays out quiet buttons at both ends of a line; their labels align with the text above. */
export const QuietButtons = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.quiet}>{children}</div>
);
