import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ChevronLeftIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M12.25 5.5 7.75 10l4.5 4.5" />
  </IconFrame>
);
