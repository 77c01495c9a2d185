import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const CardsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M4.5 3.5h11a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1zM4.5 11.5h11a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1z" />
  </IconFrame>
);
