import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const PlusIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 4v12M4 10h12" />
  </IconFrame>
);
