/** The id of a tab's button in the bar of this name. */
export const tabId = (bar: string, tab: string): string => `${bar}-tab-${tab}`;

/** The id of a tab's panel. */
export const panelId = (bar: string, tab: string): string => `${bar}-panel-${tab}`;
