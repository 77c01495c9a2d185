import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const MoreIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth={2.5} />
  </IconFrame>
);
