import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const RulesIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 6h6M13 6h4M3 14h3M10 14h7" />
    <circle cx="11" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </IconFrame>
);
