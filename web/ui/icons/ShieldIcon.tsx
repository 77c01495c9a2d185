import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ShieldIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 2.75 4 5v4.5c0 3.7 2.5 6.5 6 7.75 3.5-1.25 6-4.05 6-7.75V5z" />
  </IconFrame>
);
