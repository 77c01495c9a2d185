import { IconFrame, type IconProps } from "./IconFrame.tsx";

export const SettingsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8.32 4.55l.24-2.01h2.88l.24 2.01.98.41 1.6-1.25 2.03 2.03-1.25 1.6.41.98 2.01.24v2.88l-2.01.24-.41.98 1.25 1.6-2.03 2.03-1.6-1.25-.98.41-.24 2.01H8.56l-.24-2.01-.98-.41-1.6 1.25-2.03-2.03 1.25-1.6-.41-.98-2.01-.24V8.56l2.01-.24.41-.98-1.25-1.6 2.03-2.03 1.6 1.25z" />
    <circle cx="10" cy="10" r="2.25" />
  </IconFrame>
);
