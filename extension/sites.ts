import { hostNameIn } from "../core/masks/madeFor.ts";

/** Returns the host name of a page that can have a mask; null for pages of the browser, files and the like. */
export const siteOfPage = (url: string | undefined): string | null =>
  url !== undefined && /^https?:\/\//i.test(url) ? hostNameIn(url) : null;

/** Returns the patterns that give access to a site and its parts. */
export const patternsOfSite = (host: string): readonly string[] => {
  const site = host.replace(/^www\./, "");
  // An address of a machine has no parts.
  const names = /^[\d.]+$/.test(site) ? [site] : [site, `*.${site}`];
  return names.flatMap((name) => [`https://${name}/*`, `http://${name}/*`]);
};

/** Returns the sites that patterns give access to, in their order; "all" for every site. */
export const sitesOfPatterns = (patterns: readonly string[]): readonly string[] | "all" => {
  const hosts = patterns.map((pattern) => /^[^:]+:\/\/(?:\*\.)?([^/]+)/.exec(pattern)?.[1] ?? pattern);
  return hosts.includes("*") || patterns.includes("<all_urls>") ? "all" : [...new Set(hosts)].toSorted();
};
