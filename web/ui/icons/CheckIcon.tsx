import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const CheckIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m4 10.5 4 4 8-9" />
  </IconFrame>
);
