import type { ReactNode } from "react";
import { panelId, tabId } from "./tabIds.ts";

export interface TabPanelProps {
  /** The name given to the TabBar. */
  readonly bar: string;
  readonly tab: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** What the chosen tab shows, named by its tab. Render it for the chosen tab only. */
export const TabPanel = ({ bar, tab, children, className }: TabPanelProps) => (
  <div role="tabpanel" id={panelId(bar, tab)} aria-labelledby={tabId(bar, tab)} className={className}>
    {children}
  </div>
);
