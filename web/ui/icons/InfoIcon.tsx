import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const InfoIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 9.25v4.25M10 6.5h.01" />
  </IconFrame>
);
