import type { BrowserTab } from "../extensionApi.ts";
import { siteOfPage } from "../sites.ts";

/** The page of a site that the popup was opened on. */
export interface OpenedPage {
  readonly tabId: number;
  readonly origin: string;
  /** The host name. */
  readonly site: string;
}

/** Returns the page that a tab shows; null for a page of the browser, a file and the like. */
export const openedPage = (tab: BrowserTab | undefined): OpenedPage | null => {
  const site = siteOfPage(tab?.url);
  const url = URL.parse(tab?.url ?? "");
  return site === null || url === null || tab?.id === undefined
    ? null
    : { tabId: tab.id, origin: url.origin, site };
};
