import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const SettingsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8.32 4.55L8.56 2.54L11.44 2.54L11.68 4.55L12.66 4.96L14.26 3.71L16.29 5.74L15.04 7.34L15.45 8.32L17.46 8.56L17.46 11.44L15.45 11.68L15.04 12.66L16.29 14.26L14.26 16.29L12.66 15.04L11.68 15.45L11.44 17.46L8.56 17.46L8.32 15.45L7.34 15.04L5.74 16.29L3.71 14.26L4.96 12.66L4.55 11.68L2.54 11.44L2.54 8.56L4.55 8.32L4.96 7.34L3.71 5.74L5.74 3.71L7.34 4.96z" />
    <circle cx="10" cy="10" r="2.25" />
  </IconFrame>
);
