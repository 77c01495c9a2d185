import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const LogoutIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8 3.5H5a1.5 1.5 0 0 0-1.5 1.5v10A1.5 1.5 0 0 0 5 16.5h3M12.5 6.5 16 10l-3.5 3.5M16 10H8" />
  </IconFrame>
);
