import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ArrowIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M4 10h12M11 5l5 5-5 5" />
  </IconFrame>
);
