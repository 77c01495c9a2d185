import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const ProgramIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="3" y="4" width="14" height="12" rx="1.75" />
    <path d="M3 7.75h14M6.5 11l1.75 1.5-1.75 1.5M10 14h3" />
  </IconFrame>
);
