import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./PrintSheet.module.css";

export interface PrintSheetProps {
  /** What it is; stands on the paper only. */
  readonly note: string;
  /** With it the sheet is a long text that scrolls in the page, and has this name. */
  readonly textLabel?: string | undefined;
  readonly children: ReactNode;
}

/** What of a page is printed: while it is there, the paper holds nothing else. */
export const PrintSheet = ({ note, textLabel, children }: PrintSheetProps) => {
  const held = (
    <>
      <p className={styles.note}>{note}</p>
      {children}
    </>
  );
  return textLabel === undefined ? (
    <div className={styles.sheet}>{held}</div>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes(styles.sheet, styles.text)} aria-label={textLabel} tabIndex={0}>
      {held}
    </section>
  );
};
