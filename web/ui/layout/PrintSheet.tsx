import type { ReactNode } from "react";
import { classes } from "../classes.ts";
import styles from "./PrintSheet.module.css";

export interface PrintSheetProps {
  /** A heading that appears in print only. */
  readonly note: string;
  /** Makes the sheet a scrollable region with this accessible name, for a long text. */
  readonly textLabel?: string | undefined;
  readonly children: ReactNode;
}

/** The only part of the page that is printed while it is rendered. */
export const PrintSheet = ({ note, textLabel, children }: PrintSheetProps) => {
  const content = (
    <>
      <p className={styles.note}>{note}</p>
      {children}
    </>
  );
  return textLabel === undefined ? (
    <div className={styles.sheet}>{content}</div>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={classes(styles.sheet, styles.text)} aria-label={textLabel} tabIndex={0}>
      {content}
    </section>
  );
};
