// Icons that are not on the sign-in page: a module of its own keeps them out of the first load.
import { IconFrame, type IconProps } from "./icons.tsx";

export const AccountIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="6.5" r="3.5" />
    <path d="M3.5 17a6.5 6.5 0 0 1 13 0" />
  </IconFrame>
);

export const BellIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M5 8.25a5 5 0 0 1 10 0c0 3.5 1.25 4.75 1.75 5.5H3.25C3.75 13 5 11.75 5 8.25Z" />
    <path d="M8.25 16.25a1.9 1.9 0 0 0 3.5 0" />
  </IconFrame>
);

export const ChevronLeftIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M12.25 5.5 7.75 10l4.5 4.5" />
  </IconFrame>
);

export const ChevronRightIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M7.75 5.5 12.25 10l-4.5 4.5" />
  </IconFrame>
);

export const ClockIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 6v4l2.5 1.5" />
  </IconFrame>
);

export const CopyIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M4.5 13A1.5 1.5 0 0 1 3 11.5V5a2 2 0 0 1 2-2h6.5a1.5 1.5 0 0 1 1.5 1.5" />
  </IconFrame>
);

export const EditIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3.5 16.5v-3L13 4a1.8 1.8 0 0 1 2.5 0l.5.5A1.8 1.8 0 0 1 16 7l-9.5 9.5zM11.5 5.5l3 3" />
  </IconFrame>
);

export const InsightsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 17h14M5 13.5v-3M10 13.5v-9M15 13.5v-6" />
  </IconFrame>
);

export const LogoutIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8 3.5H5a1.5 1.5 0 0 0-1.5 1.5v10A1.5 1.5 0 0 0 5 16.5h3M12.5 6.5 16 10l-3.5 3.5M16 10H8" />
  </IconFrame>
);

export const MoreIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth={2.5} />
  </IconFrame>
);

export const PlusIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M10 4v12M4 10h12" />
  </IconFrame>
);

export const RulesIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3 6h6M13 6h4M3 14h3M10 14h7" />
    <circle cx="11" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </IconFrame>
);

export const PinIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M7 3h6M8 3v5l-2.5 3h9L12 8V3M10 11v6" />
  </IconFrame>
);

export const SearchIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="m16.5 16.5-3.7-3.7" />
    <circle cx="8.75" cy="8.75" r="5.25" />
  </IconFrame>
);

export const SettingsIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M8.32 4.55L8.56 2.54L11.44 2.54L11.68 4.55L12.66 4.96L14.26 3.71L16.29 5.74L15.04 7.34L15.45 8.32L17.46 8.56L17.46 11.44L15.45 11.68L15.04 12.66L16.29 14.26L14.26 16.29L12.66 15.04L11.68 15.45L11.44 17.46L8.56 17.46L8.32 15.45L7.34 15.04L5.74 16.29L3.71 14.26L4.96 12.66L4.55 11.68L2.54 11.44L2.54 8.56L4.55 8.32L4.96 7.34L3.71 5.74L5.74 3.71L7.34 4.96z" />
    <circle cx="10" cy="10" r="2.25" />
  </IconFrame>
);

export const TrashIcon = (props: IconProps) => (
  <IconFrame {...props}>
    <path d="M3.5 5.5h13M8 5.5V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.5M5 5.5l.7 10a1.5 1.5 0 0 0 1.5 1.5h5.6a1.5 1.5 0 0 0 1.5-1.5l.7-10M8.5 9v4.5M11.5 9v4.5" />
  </IconFrame>
);
