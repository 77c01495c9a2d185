import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const LinkIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8.5 11.5a3 3 0 0 0 4.24 0l2.88-2.88a3 3 0 0 0-4.24-4.24l-.88.88M11.5 8.5a3 3 0 0 0-4.24 0l-2.88 2.88a3 3 0 0 0 4.24 4.24l.88-.88" />
  </IconFrame>
);
