import { classes } from "./classes.ts";
import styles from "./MiddleText.module.css";

interface MiddleTextProps {
  readonly text: string;
  /** What `text` is short for, shown on hover and on paper. */
  readonly whole?: string | undefined;
}

/** A text on one line. Where there is no room, an address loses its domain before its local part, another text its middle. */
export const MiddleText = ({ text, whole = text }: MiddleTextProps) => {
  const at = text.lastIndexOf("@");
  const end = at < 0 ? Math.floor(text.length / 2) : at;
  return (
    <span
      className={classes(styles.text, at < 0 && styles.halves, whole !== text && styles.short)}
      title={whole}
    >
      {end > 0 && <span className={styles.start}>{text.slice(0, end)}</span>}
      <span className={styles.end}>{text.slice(end)}</span>
    </span>
  );
};
