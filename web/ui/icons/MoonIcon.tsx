import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const MoonIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M16.8 11.7A7 7 0 0 1 8.3 3.2a7 7 0 1 0 8.5 8.5z" />
  </IconFrame>
);
