import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const DataIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <ellipse cx="10" cy="5.25" rx="6" ry="2.25" />
    <path d="M4 5.25v9.5C4 16 6.7 17 10 17s6-1 6-2.25v-9.5M4 10c0 1.25 2.7 2.25 6 2.25s6-1 6-2.25" />
  </IconFrame>
);
