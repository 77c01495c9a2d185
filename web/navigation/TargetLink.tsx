import type { ReactNode } from "react";
import { ButtonLink } from "../ui/ButtonLink.tsx";
import { addressOfTarget, type NavigationTarget, useNavigate } from "./navigation.ts";

interface TargetLinkProps {
  readonly to: NavigationTarget;
  readonly children: ReactNode;
  readonly variant?: "primary" | "quiet" | undefined;
  readonly size?: "small" | undefined;
  readonly className?: string | undefined;
  /** Called on a plain press, before the target is shown here. */
  readonly onFollow?: (() => void) | undefined;
}

/** A link to a tab, which looks like a button; a plain press also shows the target's section. */
export const TargetLink = ({ to, onFollow, ...link }: TargetLinkProps) => {
  const navigate = useNavigate();
  return (
    <ButtonLink
      {...link}
      href={addressOfTarget(to)}
      onFollow={() => {
        onFollow?.();
        navigate(to);
      }}
    />
  );
};
