import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const LabelIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3.5 9.5V4.5a1 1 0 0 1 1-1h5l7 7-6 6zM7 7v.01" />
  </IconFrame>
);
