import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const CopyIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M4.5 13A1.5 1.5 0 0 1 3 11.5V5a2 2 0 0 1 2-2h6.5a1.5 1.5 0 0 1 1.5 1.5" />
  </IconFrame>
);
