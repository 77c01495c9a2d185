import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const InsightsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 17h14M5 13.5v-3M10 13.5v-9M15 13.5v-6" />
  </IconFrame>
);
