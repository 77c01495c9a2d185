import type { ReactNode } from "react";
import { ButtonLink } from "../ui/ButtonLink.tsx";
import type { FocusTarget } from "./focus.ts";
import { goTo } from "./goTo.ts";

interface TargetLinkProps {
  readonly href: string;
  /** The part that takes the focus there. */
  readonly focus?: FocusTarget;
  readonly children: ReactNode;
  readonly variant?: "primary" | "quiet" | undefined;
  readonly size?: "small" | undefined;
  readonly className?: string | undefined;
  /** Called on a plain press, before the target is shown here. */
  readonly onFollow?: (() => void) | undefined;
}

/** A link that looks like a button; a plain press also gives the focus to a part of what it leads to. */
export const TargetLink = ({ href, focus = "content", onFollow, ...link }: TargetLinkProps) => (
  <ButtonLink
    {...link}
    href={href}
    onFollow={() => {
      onFollow?.();
      goTo(href, focus);
    }}
  />
);
