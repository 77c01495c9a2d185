// The icons of the first load; those of later screens are in moreIcons.tsx.
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

export const CheckIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m4 10.5 4 4 8-9" />
  </IconFrame>
);

export const CloseIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m5 5 10 10M15 5 5 15" />
  </IconFrame>
);

export const InfoIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 9.25v4.25M10 6.5h.01" />
  </IconFrame>
);

export const MailIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="2.5" y="4" width="15" height="12" rx="2" />
    <path d="m3 5.5 7 5.5 7-5.5" />
  </IconFrame>
);

export const MoonIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M16.8 11.7A7 7 0 0 1 8.3 3.2a7 7 0 1 0 8.5 8.5z" />
  </IconFrame>
);

export const RefreshIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M16.5 3.5V8H12M3.5 16.5V12H8M16 8A6.5 6.5 0 0 0 4.5 6M4 12a6.5 6.5 0 0 0 11.5 2" />
  </IconFrame>
);

export const ShieldIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 2.75 4 5v4.5c0 3.7 2.5 6.5 6 7.75 3.5-1.25 6-4.05 6-7.75V5z" />
  </IconFrame>
);

export const SunIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="3.5" />
    <path d="M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.34 4.34 5.4 5.4M14.6 14.6l1.06 1.06M4.34 15.66 5.4 14.6M14.6 5.4l1.06-1.06" />
  </IconFrame>
);

export const WarningIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8.7 3.7 2.3 14.5A1.5 1.5 0 0 0 3.6 16.750h12.8a1.5 1.5 0 0 0 1.3-2.250L11.3 3.7a1.5 1.5 0 0 0-2.6 0zM10 8v3.5M10 14h.01" />
  </IconFrame>
);
