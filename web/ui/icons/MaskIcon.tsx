import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const MaskIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 6.5c2.2-.9 4.5-1.25 7-1.25s4.8.35 7 1.25c.3 4.9-1.4 8-3.9 8-1.6 0-2.1-1.5-3.1-1.5s-1.5 1.5-3.1 1.5c-2.5 0-4.2-3.1-3.9-8Z" />
    <path d="M6 9.25c.9-.6 1.9-.6 2.6.25M14 9.25c-.9-.6-1.9-.6-2.6.25" />
  </IconFrame>
);
