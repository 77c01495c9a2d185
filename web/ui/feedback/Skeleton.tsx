import type { ReactNode } from "react";
import { classes } from "../classes.ts";
import { VisuallyHidden } from "../VisuallyHidden.tsx";
import styles from "./Skeleton.module.css";

/** The content that a block stands for, which tells its height. */
export type SkeletonHeight = "title" | "control" | "row" | "part" | "card" | "chart" | "form";

export interface SkeletonProps {
  /** The width of the expected text ("18ch", "100%"). */
  readonly width?: string | undefined;
  readonly height?: SkeletonHeight | undefined;
  /** "text" has the height of a line of the surrounding text, so that nothing moves when the text arrives; "circle" that of a ring. */
  readonly shape?: "text" | "block" | "circle" | undefined;
}

/** A placeholder with the shape of loading content, hidden from screen readers; SkeletonRegion announces the loading. */
export const Skeleton = ({ width = "100%", height = "row", shape = "text" }: SkeletonProps) => (
  <span
    className={classes(styles.skeleton, styles[shape], shape === "block" && styles[height])}
    style={shape === "circle" ? undefined : { width }}
    aria-hidden="true"
  />
);

export interface SkeletonRegionProps {
  /** The sentence that screen readers announce: "Loading the list". */
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** The part of a page that is loading, marked as busy and announced with one sentence. */
export const SkeletonRegion = ({ label, children, className }: SkeletonRegionProps) => (
  <div aria-busy="true" className={className}>
    <div role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
    </div>
    {children}
  </div>
);
