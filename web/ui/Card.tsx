import type { ReactNode, Ref } from "react";
import styles from "./Card.module.css";
import { classes } from "./classes.ts";

export interface CardProps {
  readonly children: ReactNode;
  readonly as?: "div" | "section" | "article" | "li" | undefined;
  readonly padding?: "none" | "compact" | "normal" | "roomy" | undefined;
  /** Drawn back: what it stands for is switched off. Its text keeps its contrast. */
  readonly isMuted?: boolean | undefined;
  /** Lit up for a moment when it appears: it is the one just made. */
  readonly isHighlighted?: boolean | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLElement> | undefined;
  readonly "aria-label"?: string | undefined;
  readonly "aria-labelledby"?: string | undefined;
  readonly "aria-busy"?: boolean | undefined;
}

/** A surface that holds one thing together. */
export const Card = ({
  children,
  as: Element = "div",
  padding = "normal",
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
