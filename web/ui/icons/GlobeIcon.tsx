import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const GlobeIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="7" />
    <path d="M3 10h14M10 3c2 2 3 4.4 3 7s-1 5-3 7c-2-2-3-4.4-3-7s1-5 3-7Z" />
  </IconFrame>
);
