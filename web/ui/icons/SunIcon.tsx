import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const SunIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="3.5" />
    <path d="M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.34 4.34 5.4 5.4M14.6 14.6l1.06 1.06M4.34 15.66 5.4 14.6M14.6 5.4l1.06-1.06" />
  </IconFrame>
);
