import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const SearchIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m16.5 16.5-3.7-3.7" />
    <circle cx="8.75" cy="8.75" r="5.25" />
  </IconFrame>
);
