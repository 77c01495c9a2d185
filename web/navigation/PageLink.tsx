import type { FocusEventHandler, KeyboardEventHandler, MouseEvent, ReactNode } from "react";
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

/** Whether the browser is asked for a new tab or window, or somebody has taken the click. */
const isForBrowser = (event: MouseEvent): boolean =>
  event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;

/** A link to a page without a tab: a press opens it here, the browser's own ways open it elsewhere. */
export const PageLink = ({ page, params = {}, children, ...link }: PageLinkProps) => {
  const openPage = useOpenPage();
  return (
    <a
      {...link}
      href={addressText([page], params)}
      onClick={(event) => {
        if (isForBrowser(event)) return;
        event.preventDefault();
        openPage(page, params);
      }}
    >
      {children}
    </a>
  );
};
