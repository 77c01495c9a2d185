/** Returns the host and port of a URL, which name its webhook in a sentence. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
