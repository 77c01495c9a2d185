import type { ReactNode } from "react";

export interface VisuallyHiddenProps {
  readonly children: ReactNode;
  readonly id?: string | undefined;
}

/** Text for screen readers only. */
export const VisuallyHidden = ({ children, id }: VisuallyHiddenProps) => (
  <span className="visually-hidden" id={id}>
    {children}
  </span>
);
