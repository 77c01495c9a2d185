import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const DownloadIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />
  </IconFrame>
);
