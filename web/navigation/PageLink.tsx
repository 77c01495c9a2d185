import type { FocusEventHandler, KeyboardEventHandler, ReactNode } from "react";
import { followPlainly } from "../ui/followPlainly.ts";
import { addressText } from "./address.ts";
import { type PageName, type PageParams, useOpenPage } from "./navigation.ts";

interface PageLinkProps {
  readonly page: Exclude<PageName, "operator">;
  readonly params?: PageParams;
  readonly children: ReactNode;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly onKeyDown?: KeyboardEventHandler | undefined;
  readonly onFocus?: FocusEventHandler | undefined;
  readonly onPointerEnter?: (() => void) | undefined;
  readonly "data-mask"?: string | undefined;
}

/** A link to a page without a tab: a press opens it here, the browser's own ways open it elsewhere. */
export const PageLink = ({ page, params = {}, children, ...link }: PageLinkProps) => {
  const openPage = useOpenPage();
  return (
    <a {...link} href={addressText([page], params)} onClick={followPlainly(() => openPage(page, params))}>
      {children}
    </a>
  );
};
