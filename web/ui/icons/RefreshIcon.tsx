import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const RefreshIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M16.5 3.5V8H12M3.5 16.5V12H8M16 8A6.5 6.5 0 0 0 4.5 6M4 12a6.5 6.5 0 0 0 11.5 2" />
  </IconFrame>
);
