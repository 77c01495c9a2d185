import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ChevronDownIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m5.5 7.75 4.5 4.5 4.5-4.5" />
  </IconFrame>
);
