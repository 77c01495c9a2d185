import type { FocusEventHandler, KeyboardEventHandler, ReactNode } from "react";
import { followPlainly } from "../ui/followPlainly.ts";
import { openPage } from "./goTo.ts";

interface PageLinkProps {
  readonly href: string;
  readonly children: ReactNode;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly onKeyDown?: KeyboardEventHandler | undefined;
  readonly onFocus?: FocusEventHandler | undefined;
  readonly onPointerEnter?: (() => void) | undefined;
  readonly "data-mask"?: string | undefined;
}

/** A link to a page without a tab: a press opens it here, the browser's own ways open it elsewhere. */
export const PageLink = ({ href, children, ...link }: PageLinkProps) => (
  <a {...link} href={href} onClick={followPlainly(() => openPage(href))}>
    {children}
  </a>
);
