import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const BellIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M5 8.25a5 5 0 0 1 10 0c0 3.5 1.25 4.75 1.75 5.5H3.25C3.75 13 5 11.75 5 8.25Z" />
    <path d="M8.25 16.25a1.9 1.9 0 0 0 3.5 0" />
  </IconFrame>
);
