import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const SelectIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M5 3.5h10A1.5 1.5 0 0 1 16.5 5v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V5A1.5 1.5 0 0 1 5 3.5zM7 10l2.2 2.2L13 8" />
  </IconFrame>
);
