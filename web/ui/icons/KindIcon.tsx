import type { ReactNode } from "react";
import { classes } from "../classes.ts";
import tones from "../kinds.module.css";
import { VisuallyHidden } from "../VisuallyHidden.tsx";
import { CheckIcon } from "./CheckIcon.tsx";
import type { IconProps } from "./IconFrame.tsx";
import { InfoIcon } from "./InfoIcon.tsx";
import styles from "./KindIcon.module.css";
import { ShieldIcon } from "./ShieldIcon.tsx";
import { WarningIcon } from "./WarningIcon.tsx";

/** The kind of a message: news, a success, what needs care, what failed, or what concerns who gets at the account. */
export type NoticeKind = "success" | "info" | "warning" | "error" | "security";

export interface KindIconProps {
  readonly kind: NoticeKind;
  readonly className?: string | undefined;
}

const spokenPrefixes: Readonly<Record<NoticeKind, string | undefined>> = {
  success: undefined,
  info: undefined,
  warning: "Warning: ",
  error: "Error: ",
  security: "Security: ",
};

const icons: Readonly<Record<NoticeKind, (props: IconProps) => ReactNode>> = {
  success: CheckIcon,
  info: InfoIcon,
  warning: WarningIcon,
  error: WarningIcon,
  security: ShieldIcon,
};

/** The icon of a notice's kind. Screen readers also hear the word for warnings, errors and what concerns security. */
export const KindIcon = ({ kind, className }: KindIconProps) => {
  const Icon = icons[kind];
  return (
    <span className={classes(styles.icon, tones[kind], className)}>
      <Icon />
      {spokenPrefixes[kind] !== undefined && <VisuallyHidden>{spokenPrefixes[kind]}</VisuallyHidden>}
    </span>
  );
};
