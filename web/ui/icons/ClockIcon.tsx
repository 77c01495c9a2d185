import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ClockIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 6v4l2.5 1.5" />
  </IconFrame>
);
