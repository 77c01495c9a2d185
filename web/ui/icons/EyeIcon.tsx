import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const EyeIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M2.5 10S5.25 5 10 5s7.5 5 7.5 5-2.75 5-7.5 5-7.5-5-7.5-5Z" />
    <circle cx="10" cy="10" r="2.25" />
  </IconFrame>
);
