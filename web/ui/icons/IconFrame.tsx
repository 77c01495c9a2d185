import type { ReactNode } from "react";

export interface IconProps {
  /** Edge in px at the usual text size, with which it grows; 20 unless told. */
  readonly size?: number | undefined;
  readonly className?: string | undefined;
}

interface IconFrameProps extends IconProps {
  readonly children: ReactNode;
}

const pxInRem = 16;

/**
 * The frame every icon is drawn in: 20 units square, a line of 1.5 in the colour of the text around it.
 * An icon is decoration: the control it stands in carries the name.
 */
export const IconFrame = ({ size = 20, className, children }: IconFrameProps) => (
  <svg
    viewBox="0 0 20 20"
    width={`${size / pxInRem}rem`}
    height={`${size / pxInRem}rem`}
    className={className}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.5}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
);
