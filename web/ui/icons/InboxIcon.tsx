import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const InboxIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 11.5 5 4.5h10l2 7v3a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z" />
    <path d="M3 11.5h4l1 2h4l1-2h4" />
  </IconFrame>
);
