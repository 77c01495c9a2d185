import { classes } from "./classes.ts";
import styles from "./Tag.module.css";

interface TagProps {
  readonly name: string;
  /** A color's name; gray for an unknown one. */
  readonly color?: string | undefined;
  /** Makes the tag a button; `title` says what a press does. */
  readonly onPress?: (() => void) | undefined;
  readonly title?: string | undefined;
}

/** A short name with a colored dot, such as a label. */
export const Tag = ({ name, color = "gray", onPress, title }: TagProps) =>
  onPress === undefined ? (
    <span className={styles.tag} data-tone={color} title={title}>
      <span className={styles.name}>{name}</span>
    </span>
  ) : (
    <button
      type="button"
      className={classes(styles.tag, styles.button)}
      data-tone={color}
      title={title}
      onClick={onPress}
    >
      <span className={styles.name}>{name}</span>
    </button>
  );
