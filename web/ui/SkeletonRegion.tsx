import type { ReactNode } from "react";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface SkeletonRegionProps {
  /** Spoken once: "Loading the list". */
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** The part of a page that is loading: marked busy, with one spoken sentence instead of a row of empty shapes. */
export const SkeletonRegion = ({ label, children, className }: SkeletonRegionProps) => (
  <div aria-busy="true" className={className}>
    <div role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
    </div>
    {children}
  </div>
);
