/**
 * Returns the address of the server, which the server writes into the page: a path where the app shares its host, empty where it has
 * one to itself, and a URL for a page of another server (D3).
 */
export const baseAddressOf = ({ document }: Pick<Window, "document">): string =>
  document.querySelector<HTMLMetaElement>("meta[name=base-address]")?.content ?? "";

/**
 * Returns the path that the page's own addresses begin with, and the names of what it stores end with, so that two installations on
 * one host share nothing.
 */
export const pathOf = (baseAddress: string): string => (baseAddress.startsWith("/") ? baseAddress : "");

/** Returns the address of something at the server, such as "/licenses". */
export const atServer = (path: string): string => baseAddressOf(window) + path;
