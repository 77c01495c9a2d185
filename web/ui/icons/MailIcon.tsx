import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const MailIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="2.5" y="4" width="15" height="12" rx="2" />
    <path d="m3 5.5 7 5.5 7-5.5" />
  </IconFrame>
);
