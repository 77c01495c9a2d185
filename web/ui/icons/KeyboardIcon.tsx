import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const KeyboardIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="2.25" y="5" width="15.5" height="10" rx="2" />
    <path d="M5.5 8.25h.01M8.5 8.25h.01M11.5 8.25h.01M14.5 8.25h.01M6.5 12h7" />
  </IconFrame>
);
