import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const AccountIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="6.5" r="3.5" />
    <path d="M3.5 17a6.5 6.5 0 0 1 13 0" />
  </IconFrame>
);
