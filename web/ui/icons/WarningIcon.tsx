import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const WarningIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8.7 3.7 2.3 14.5A1.5 1.5 0 0 0 3.6 16.750h12.8a1.5 1.5 0 0 0 1.3-2.250L11.3 3.7a1.5 1.5 0 0 0-2.6 0zM10 8v3.5M10 14h.01" />
  </IconFrame>
);
