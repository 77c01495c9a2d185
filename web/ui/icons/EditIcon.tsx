import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const EditIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3.5 16.5v-3L13 4a1.8 1.8 0 0 1 2.5 0l.5.5A1.8 1.8 0 0 1 16 7l-9.5 9.5zM11.5 5.5l3 3" />
  </IconFrame>
);
