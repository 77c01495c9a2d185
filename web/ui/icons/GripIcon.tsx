import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const GripIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M7.5 5v.01M7.5 10v.01M7.5 15v.01M12.5 5v.01M12.5 10v.01M12.5 15v.01" />
  </IconFrame>
);
