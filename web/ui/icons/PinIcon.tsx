import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const PinIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M7 3h6M8 3v5l-2.5 3h9L12 8V3M10 11v6" />
  </IconFrame>
);
