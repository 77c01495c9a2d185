import { readAttribute, readText } from "./parseMailHtml.ts";

/** A link in a mail. */
export interface MailLink {
  /** The text that the mail shows in its place; a sender can write anything there. */
  readonly text: string;
  /** The target: a URL with the scheme http, https or mailto, its host in ASCII, without a user name. */
  readonly address: string;
}

/** Limits that no ordinary mail reaches. */
const maxLinks = 500;
const maxTextCharacters = 200;

/** Returns the URL when it is safe to open (http, https, mailto), else null. What stands before the host looks like one, and goes. */
const toSafeUrl = (href: string, base: string | undefined): string | null => {
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  if (url === null || !["http:", "https:", "mailto:"].includes(url.protocol)) return null;
  url.username = "";
  url.password = "";
  return url.href;
};

/** Lists where the links and image maps of a parsed mail lead. */
export const readLinks = (mail: Document): readonly MailLink[] => {
  const named = mail.querySelector("base[href]");
  const base = (named && readAttribute(named, "href")) ?? undefined;
  const links: MailLink[] = [];
  for (const link of mail.querySelectorAll("a[href],area[href]")) {
    const href = (readAttribute(link, "href") ?? "").trim();
    const address = href.startsWith("#") ? null : toSafeUrl(href, base);
    if (address === null) continue;
    const text = (readText(link) || (readAttribute(link, "alt") ?? "")).replace(/\s+/g, " ").trim();
    links.push({ text: text.slice(0, maxTextCharacters), address });
    if (links.length === maxLinks) break;
  }
  return links;
};
