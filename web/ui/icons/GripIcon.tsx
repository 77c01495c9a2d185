import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const GripIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path strokeWidth={2.5} d="M7 4.5v.01M7 10v.01M7 15.5v.01M13 4.5v.01M13 10v.01M13 15.5v.01" />
  </IconFrame>
);
