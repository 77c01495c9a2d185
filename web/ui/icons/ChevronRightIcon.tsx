import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ChevronRightIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M7.75 5.5 12.25 10l-4.5 4.5" />
  </IconFrame>
);
