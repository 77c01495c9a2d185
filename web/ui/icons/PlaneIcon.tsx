import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const PlaneIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 2.5c-.8 0-1.25.9-1.25 2v3.25L2.5 11.5v1.75l6.25-1.75v3.25L7 16v1.5l3-.75 3 .75V16l-1.75-1.25V11.5l6.25 1.75V11.5l-6.25-3.75V4.5c0-1.1-.45-2-1.25-2z" />
  </IconFrame>
);
