import { VisuallyHidden } from "../VisuallyHidden.tsx";
import { CheckIcon, InfoIcon, WarningIcon } from "./icons.tsx";

export type NoticeKind = "success" | "info" | "warning" | "error";

export interface KindIconProps {
  readonly kind: NoticeKind;
  readonly className?: string | undefined;
}

const spokenPrefixes: Readonly<Record<NoticeKind, string | undefined>> = {
  success: undefined,
  info: undefined,
  warning: "Warning: ",
  error: "Error: ",
};

/** The icon of a notice's kind. Screen readers also hear the word for warnings and errors. */
export const KindIcon = ({ kind, className }: KindIconProps) => {
  const Icon = kind === "success" ? CheckIcon : kind === "info" ? InfoIcon : WarningIcon;
  return (
    <span className={className}>
      <Icon />
      {spokenPrefixes[kind] !== undefined && <VisuallyHidden>{spokenPrefixes[kind]}</VisuallyHidden>}
    </span>
  );
};
