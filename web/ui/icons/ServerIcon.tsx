import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ServerIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="3" y="3.5" width="14" height="5.5" rx="1.5" />
    <rect x="3" y="11" width="14" height="5.5" rx="1.5" />
    <path d="M6 6.25h.01M6 13.75h.01" />
  </IconFrame>
);
