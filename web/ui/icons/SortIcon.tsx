import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const SortIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 4v4M7.5 12v4" />
  </IconFrame>
);
