import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const BriefcaseIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="2.75" y="6.25" width="14.5" height="10" rx="1.75" />
    <path d="M7 6.25V5A1.75 1.75 0 0 1 8.75 3.25h2.5A1.75 1.75 0 0 1 13 5v1.25M2.75 10.75h14.5M10 10v1.75" />
  </IconFrame>
);
