import { CheckIcon } from "./icons/CheckIcon.tsx";
import { InfoIcon } from "./icons/InfoIcon.tsx";
import { WarningIcon } from "./icons/WarningIcon.tsx";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export type NoticeKind = "success" | "info" | "warning" | "error";

export interface KindIconProps {
  readonly kind: NoticeKind;
  readonly className?: string | undefined;
}

const spoken: Readonly<Record<NoticeKind, string | undefined>> = {
  success: undefined,
  info: undefined,
  warning: "Warning: ",
  error: "Error: ",
};

/** The sign of a notice's kind; a warning and an error are also said, since colour alone says nothing. */
export const KindIcon = ({ kind, className }: KindIconProps) => {
  const Icon = kind === "success" ? CheckIcon : kind === "info" ? InfoIcon : WarningIcon;
  return (
    <span className={className}>
      <Icon />
      {spoken[kind] !== undefined && <VisuallyHidden>{spoken[kind]}</VisuallyHidden>}
    </span>
  );
};
