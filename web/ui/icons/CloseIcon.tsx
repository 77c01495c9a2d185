import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const CloseIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m5 5 10 10M15 5 5 15" />
  </IconFrame>
);
