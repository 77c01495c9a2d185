// Icons that no screen shows first: a module of its own keeps them out of the load of the masks tab.
import { IconFrame, type IconProps } from "./icons.tsx";

export const BriefcaseIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="2.75" y="6.25" width="14.5" height="10" rx="1.75" />
    <path d="M7 6.25V5A1.75 1.75 0 0 1 8.75 3.25h2.5A1.75 1.75 0 0 1 13 5v1.25M2.75 10.75h14.5M10 10v1.75" />
  </IconFrame>
);

export const ChevronDownIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m5.5 7.75 4.5 4.5 4.5-4.5" />
  </IconFrame>
);

export const DownloadIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />
  </IconFrame>
);

export const GripIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path strokeWidth={2.5} d="M7 4.5v.01M7 10v.01M7 15.5v.01M13 4.5v.01M13 10v.01M13 15.5v.01" />
  </IconFrame>
);

export const PlaneIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 2.5c-.8 0-1.25.9-1.25 2v3.25L2.5 11.5v1.75l6.25-1.75v3.25L7 16v1.5l3-.75 3 .75V16l-1.75-1.25V11.5l6.25 1.75V11.5l-6.25-3.75V4.5c0-1.1-.45-2-1.25-2z" />
  </IconFrame>
);

export const PrintIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M6 7V3h8v4M6 14H3.5V7h13v7H14M6 11.5h8V17H6z" />
  </IconFrame>
);
