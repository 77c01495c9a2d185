import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const RowsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3.5 5h13M3.5 8.3h13M3.5 11.7h13M3.5 15h13" />
  </IconFrame>
);
