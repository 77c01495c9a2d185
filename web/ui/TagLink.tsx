import { classes } from "./classes.ts";
import styles from "./Tag.module.css";

interface TagLinkProps {
  readonly name: string;
  /** A color's name; gray for an unknown one. */
  readonly color?: string | undefined;
  readonly href: string;
  /** Says what the link shows. */
  readonly title?: string | undefined;
}

/** A tag that leads to what has it. */
export const TagLink = ({ name, color = "gray", href, title }: TagLinkProps) => (
  <a href={href} title={title} className={classes(styles.tag, styles.button, styles.link)} data-tone={color}>
    <span className={styles.name}>{name}</span>
  </a>
);
