import type { ReactNode, Ref } from "react";
import { classes } from "../classes.ts";
import styles from "./Card.module.css";

export interface CardProps {
  readonly children: ReactNode;
  readonly as?: "div" | "section" | "article" | "li" | "ul" | undefined;
  /** "none" for content that reaches the card's edges; else the inset of all cards. */
  readonly padding?: "none" | "inset" | undefined;
  /** Renders the card subdued because its subject is switched off. Its text keeps its contrast. */
  readonly isMuted?: boolean | undefined;
  /** Highlights the card for a moment when it appears, for an item just created. */
  readonly isHighlighted?: boolean | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLElement> | undefined;
  readonly "aria-label"?: string | undefined;
  readonly "aria-labelledby"?: string | undefined;
  readonly "aria-busy"?: boolean | undefined;
}

/** A bordered surface that groups the content of one item. */
export const Card = ({
  children,
  as: Element = "div",
  padding = "inset",
  isMuted = false,
  isHighlighted = false,
  className,
  ref,
  ...rest
}: CardProps) => (
  <Element
    {...rest}
    ref={ref as Ref<never>}
    className={classes(
      styles.card,
      styles[padding],
      isMuted && styles.muted,
      isHighlighted && styles.highlighted,
      className,
    )}
  >
    {children}
  </Element>
);
