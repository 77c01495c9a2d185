import { registrableDomain } from "../../../platform/dns/registrableDomain.ts";

/** Replaces in a text what must not be revealed. */
type Replace = (text: string) => string;

/** Returns the target of a link behind a check or cache, or null when it belongs to one account. */
type Unwrap = (url: URL) => string | null;

const parameter =
  (...names: readonly string[]): Unwrap =>
  (url) =>
    names.map((name) => url.searchParams.get(name)).find((value) => value !== null) ?? null;

const nothing: Unwrap = () => null;

/** Proofpoint writes a target with `-` for `%` and `_` for `/` (version 2), or between underscores (version 3). */
const proofpoint: Unwrap = (url) => {
  const version3 = /\/v3\/__(.{1,8000}?)__;/.exec(url.href)?.[1];
  if (version3 !== undefined) return version3.replace(/^(https?):\/(?!\/)/, "$1://");
  const target = url.searchParams.get("u");
  if (target === null) return null;
  return url.pathname.startsWith("/v2/")
    ? decodeOnce(target.replaceAll("-", "%").replaceAll("_", "/"))
    : target;
};

const afterHash: Unwrap = (url) => (url.hash === "" ? null : url.hash.slice(1));

/** A link whose path ends in the encoded target. */
const lastSegment: Unwrap = (url) => decodeOnce(url.pathname.split("/").at(-1) ?? "");

/**
 * The hosts of checks, caches and pictures of providers and programs, and what their links lead to. A link that
 * leads nowhere else is bound to the account of its author.
 */
const boundHosts: readonly (readonly [RegExp, Unwrap])[] = [
  [/(?:^|\.)safelinks\.protection\.outlook\.com$/, parameter("url")],
  [/(?:^|\.)safelinks\.office\.net$/, parameter("url")],
  [/^urldefense(?:\.proofpoint)?\.(?:com|us)$/, proofpoint],
  [/^linkprotect\.cudasvc\.com$/, parameter("a")],
  [/^deref-(?:gmx|web(?:\.de)?|mail)\.(?:net|de|com)$/, parameter("redirectUrl", "redirectURL")],
  [/^secure-web\.cisco\.com$/, lastSegment],
  [/^(?:checklink|click)\.mail\.ru$/, parameter("url")],
  [/^ecp\.yusercontent\.com$/, parameter("url")],
  [/^(?:mail|account)(?:-api)?\.proton\.me$/, parameter("Url", "url")],
  [/^ci\d+\.googleusercontent\.com$/, afterHash],
  [
    /(?:^|\.)(?:mimecast|mimecastprotect|protection\.sophos|trendmicro|fireeye|trustwave|fastmailusercontent|proofpointisolation|avcdn)\.(?:com|net)$/,
    nothing,
  ],
  [/(?:^|\.)(?:googleusercontent|ggpht)\.com$/, nothing],
  [/^(?:mail|inbox|contacts)\.google\.com$/, nothing],
  [/^meet\.google\.com$/, (url) => `${url.origin}${url.pathname}`],
  [/^(?:attachments\.office\.net|attachment\.outlook\.(?:live|office)\.net)$/, nothing],
  // Pages for bookings are made to be shared.
  [
    /^outlook\.(?:live|office|office365)\.com$/,
    (url) => (/^\/(?:book|owa\/calendar\/)/.test(url.pathname) ? url.href : null),
  ],
  [/^aka\.ms$/, (url) => (/^\/(?:o0ukef|AAb9ysg|AAb9|LearnAbout)/i.test(url.pathname) ? null : url.href)],
  [
    /^(?:(?:go|mail)\.onelink\.me|overview\.mail\.yahoo\.com|mailtrack\.io|mailfoogae\.appspot\.com)$/,
    nothing,
  ],
  [/^(?:mail|e)\.(?:yahoo|aol|yandex|mail|gmx|web|icloud|zoho)\.(?:com|ru|net|de)$/, nothing],
];

/** Google's redirects lead to `q` or `url`; `eid` and `src` name an event and a calendar with their account. */
const googlePage: Unwrap = (url) => {
  if (/calendar/.test(url.href) && /[?&](?:eid|src|cid)=/.test(url.search)) return null;
  return url.pathname === "/url" ? parameter("q", "url")(url) : url.href;
};

const unwrapOnce = (url: URL): string | null => {
  const host = url.hostname.toLowerCase();
  const bound = boundHosts.find(([hosts]) => hosts.test(host));
  if (bound) return bound[1](url);
  return /(?:^|\.)google\.[a-z.]{2,8}$/.test(host) ? googlePage(url) : url.href;
};

const maxWrappers = 4;
const maxLinkLength = 16 * 1024;

const parseWebAddress = (link: string): URL | null => {
  const url = link.length > maxLinkLength ? null : URL.parse(link);
  return url && /^https?:$/.test(url.protocol) ? url : null;
};

/**
 * Returns what a web link leads to behind the checks and caches of the author's provider (Safe Links, URL Defense,
 * Gmail's picture cache), the link itself when there are none, and null when it is bound to the author's account.
 */
const publicWebLink = (link: string): string | null => {
  let current = link;
  for (let n = 0; n < maxWrappers; n += 1) {
    const url = parseWebAddress(current);
    const target = url === null ? null : unwrapOnce(url);
    if (url === null || target === null) return null;
    if (target === url.href) return current;
    current = target;
  }
  return null;
};

/** Replaces web links in a text by what they lead to; those of an account are left out, with brackets around them. */
export const unwrapLinks = (text: string): string =>
  text.replaceAll(/[<[]?https?:\/\/[^\s"'<>]{1,8000}>?/gi, (found) => {
    const [, start = "", link = "", end = ""] = /^([<[]?)(.*?)([.,;:!?)\]}]{0,20}>?)$/s.exec(found) ?? [];
    const target = publicWebLink(link);
    if (target !== null || !parseWebAddress(link)) return `${start}${target ?? link}${end}`;
    const isBracketed = (start === "<" && end === ">") || (start === "[" && end === "]");
    return isBracketed ? "" : `${start}${end}`;
  });

/** Decodes each valid run of %XX; others stay. */
const decodeOnce = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return Buffer.from(run.replaceAll("%", ""), "hex").toString("latin1");
    }
  });

const maxEncodings = 6;

/** Decodes a text that is percent-encoded any number of times. */
const decodeFully = (text: string): string => {
  let decoded = text;
  for (let n = 0; n < maxEncodings && decoded.includes("%"); n += 1)
    decoded = decodeOnce(decoded.replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, "%"));
  return decoded;
};

const encodePart = (text: string): string => encodeURIComponent(text).replaceAll("%40", "@");

/** Replaces in the parts of a link, each as often decoded as it is encoded. */
const replaceInParts = (link: string, replace: Replace, depth: number): string =>
  link
    .split(/([/?&=#;,:])/)
    .map((part) => {
      if (!part.includes("%") || depth > maxEncodings) return part;
      const decoded = decodeOnce(part);
      const replaced = replace(replaceInParts(decoded, replace, depth + 1));
      return replaced === decoded ? part : encodePart(replaced);
    })
    .join("");

/** Replaces in a link, however often its parts are percent-encoded; null when something remains. */
const replaceInLink = (link: string, replace: Replace): string | null => {
  const replaced = replace(link);
  const isClean = (text: string): boolean => {
    const decoded = decodeFully(text);
    return replace(decoded) === decoded;
  };
  if (isClean(replaced)) return replaced;
  const inParts = replaceInParts(replaced, replace, 0);
  return isClean(inParts) ? inParts : null;
};

/** The first labels and the paths under which providers and companies run programs for mail in the browser. */
const webmailLabel =
  /^(?:(?:web|my|e|m|i)?-?mail(?:er|box|box-?\d|s)?-?\d*|webmailer|owa|exchange|outlook|roundcube|rc|horde|imp|zimbra|sogo|rainloop|snappymail|squirrelmail|groupware|appsuite|ox|mx|smtp|imap|autodiscover|posta?|poczta|correo|courriel|messagerie|webpost)$/i;
const webmailPage =
  /^\/(?:owa|ecp|exchange|webmail|mail|rc|roundcube(?:mail)?|horde|imp|zimbra|sogo|rainloop|snappymail|squirrelmail|sqmail|appsuite|groupware|index\.php\/apps\/mail|cloud\/index\.php\/apps\/mail)(?:[/?#.]|$)|[?&]_task=/i;

/** Creates the search for links to the program in which the author of a mail writes, at one of their provider's hosts. */
export const createIsWebmail = (ownerHosts: readonly string[]): ((url: URL) => boolean) => {
  const hosts = new Set(ownerHosts.map((host) => host.toLowerCase()));
  const sites = new Set([...hosts].map(registrableDomain));
  return (url) => {
    const host = url.hostname.toLowerCase();
    const site = registrableDomain(host);
    if (!sites.has(site)) return false;
    const isBelow = host !== site;
    return (
      (isBelow && (hosts.has(host) || webmailLabel.test(host.split(".", 1)[0] ?? ""))) ||
      webmailPage.test(`${url.pathname}${url.search}`)
    );
  };
};

/** The context in which links are written for others. */
export interface LinkContext {
  /** True if a web link leads to the program in which its author writes. */
  readonly isWebmail: (url: URL) => boolean;
  /** Replaces what a reader sees, or a link leads to. */
  readonly replace: Replace;
  /** Replaces what its author does not see, such as the title of a link; more is replaced there. */
  readonly replaceHidden: Replace;
  /** Returns the public id for a Content-ID or Message-ID in angle brackets; empty when it is none. */
  readonly renameId: (id: string) => string;
}

/** Renames the part or mail of a cid: or mid: link (RFC 2392). */
const renameLink = (scheme: string, id: string, { renameId }: LinkContext): string | null => {
  const renamed = id.length > 900 ? "" : renameId(`<${decodeOnce(id)}>`);
  return renamed === "" ? null : `${scheme}:${renamed.slice(1, -1)}`;
};

/**
 * Returns a link as others may see it; null when it is bound to the author's account or machine, or can run code.
 * The schemes are http, https, mailto, tel, sms, cid and mid.
 */
export const cleanLink = (raw: string, context: LinkContext): string | null => {
  const link = raw.trim().replaceAll(/[\t\r\n]/g, "");
  const [, scheme = "", rest = ""] = /^([a-z]{3,6}):(.{0,16400})/is.exec(link) ?? [];
  switch (scheme.toLowerCase()) {
    case "http":
    case "https": {
      const target = publicWebLink(link);
      const url = target === null ? null : parseWebAddress(target);
      return target === null || (url && context.isWebmail(url))
        ? null
        : replaceInLink(target, context.replace);
    }
    case "mailto":
    case "tel":
    case "sms":
      return link.length > maxLinkLength ? null : replaceInLink(link, context.replace);
    case "cid":
    case "mid":
      return renameLink(scheme.toLowerCase(), rest, context);
    default:
      return null;
  }
};

/** Pictures of signatures in the author's own drive or mailbox, and those of the page that the author writes in. */
const accountPicture =
  /^https:\/\/(?:(?:drive|docs)\.google\.com\/uc\?|avatars\.mds\.yandex\.net\/get-mail-signature|ssl\.gstatic\.com\/(?:docs|ui))/;

/** The same for the source of a picture, which may also be inside the text (RFC 2397). */
export const cleanPicture = (raw: string, context: LinkContext): string | null => {
  const source = raw.trim();
  if (/^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=\s]{1,}$/i.test(source)) return source;
  if (!/^(?:https?|cid):/i.test(source)) return null;
  const picture = cleanLink(source, context);
  return picture === null || accountPicture.test(picture) ? null : picture;
};
