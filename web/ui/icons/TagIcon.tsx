import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const TagIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 3.5h6L17 11.5 11.5 17 3 8.5z" />
    <path d="M6.5 6.75h.01" />
  </IconFrame>
);
