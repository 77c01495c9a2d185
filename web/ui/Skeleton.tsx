import { classes } from "./classes.ts";
import styles from "./Skeleton.module.css";

export interface SkeletonProps {
  /** Any CSS length; give it the width the text will have ("18ch", "100%"). */
  readonly width?: string | undefined;
  readonly height?: string | undefined;
  /** "text" is as high as a line of the text around it, so nothing moves when the text comes. */
  readonly shape?: "text" | "block" | "circle" | undefined;
}

/** A stand-in with the shape of what is being loaded. Silent: the SkeletonRegion around it speaks. */
export const Skeleton = ({ width = "100%", height, shape = "text" }: SkeletonProps) => (
  <span className={classes(styles.skeleton, styles[shape])} style={{ width, height }} aria-hidden="true" />
);
