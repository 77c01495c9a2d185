import type { ReactNode } from "react";

export interface IconProps {
  /** Edge in px at the default text size, with which the icon scales; default 20. */
  readonly size?: number | undefined;
  readonly className?: string | undefined;
}

interface IconFrameProps extends IconProps {
  readonly children: ReactNode;
}

const pxInRem = 16;

/**
 * The SVG element of every icon: 20 units square, lines of 1.5 units in the color of the surrounding text. Icons are
 * hidden from screen readers; the control around an icon has the name.
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
