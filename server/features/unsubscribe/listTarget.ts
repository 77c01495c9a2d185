import { isIP } from "node:net";
import { domainOf, isRelatedDomain } from "../../../core/mail/emailAddress.ts";
import { type HeaderLink, linkFieldValues, readLinks } from "../../mime/headerLinks.ts";
import { fieldValues, type MailWithHeader, maxFieldBytes } from "../../mime/mailFields.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { UnsubscribeSigners } from "../../proof/evidence.ts";
import type { ListTarget } from "./unsubscribeLinks.ts";

/** The addresses of this server, at which no list is left. */
export interface OwnPlaces {
  readonly publicUrl: string;
  readonly maskDomain: string;
}

/** Of the mail that a list asks for. In characters. */
const mailLimits = { subject: 200, body: 1_000 } as const;

const isAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Returns the address of a page or of a POST; null for one that this server names to nobody and sends nothing to. */
const readHttps = (link: HeaderLink, { publicUrl }: OwnPlaces): string | null => {
  if (link.kind !== "other" || !/^https:\/\//i.test(link.text) || !URL.canParse(link.text)) return null;
  const { href, hostname, port, username, password } = new URL(link.text);
  const isNamed = /^[a-z0-9.-]+\.[a-z0-9-]*[a-z][a-z0-9-]*$/.test(hostname) && isIP(hostname) === 0;
  const isPlain = port === "" && username === "" && password === "" && isAscii(href);
  return isNamed && isPlain && hostname !== new URL(publicUrl).hostname ? href : null;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
};

const contentOf = (content: readonly string[], name: string): string =>
  decode(content.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "");

/** Returns the mail that a link asks for: to one address, with its subject and text, and nothing else of it. */
const readMail = (link: HeaderLink, { maskDomain }: OwnPlaces): ListTarget["way"] | null => {
  if (link.kind !== "mail") return null;
  const [to] = link.to;
  if (to === undefined || !isAscii(to) || isRelatedDomain(domainOf(to).toLowerCase(), maskDomain))
    return null;
  const subject = contentOf(link.content, "subject")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  const body = contentOf(link.content, "body")
    .replaceAll(/\r\n?|\n/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  const isShort = subject.length <= mailLimits.subject && body.length <= mailLimits.body;
  return isShort && subject.isWellFormed() && body.isWellFormed()
    ? { kind: "mail", to, subject, body }
    : null;
};

const present = <A>(value: A | null): readonly A[] => (value === null ? [] : [value]);

/** True if what a list asks for goes to the owner of a domain that has signed it. */
const isProven = ({ way }: ListTarget, { links, oneClick }: UnsubscribeSigners): boolean => {
  if (way.kind === "page") return false;
  const [signers, domain] =
    way.kind === "mail" ? [links, domainOf(way.to)] : [oneClick, new URL(way.url).hostname];
  return signers.map(registrableDomain).includes(registrableDomain(domain));
};

const noSigners: UnsubscribeSigners = { links: [], oneClick: [] };

/**
 * Returns the ways in which a list can be left, the best first: what its signature proves, then what a person has to look at
 * first; of these a POST, where the list offers it and a signature covers the offer, or nobody has checked that; a mail; its
 * page, by hand. Each first with the page, then without, because both may be too long for a header.
 */
export const readListTargets = (
  mail: MailWithHeader,
  signers: UnsubscribeSigners | null,
  own: OwnPlaces,
): readonly ListTarget[] => {
  const fields = mail.header.fields.filter(({ name }) => name === "list-unsubscribe");
  const [field] = fields;
  // RFC 2369 allows one.
  if (!field || fields.length > 1 || field.end - field.valueStart > maxFieldBytes) return [];
  const links = linkFieldValues(mail, "list-unsubscribe").flatMap(readLinks);
  const [url = null] = links.flatMap((link) => present(readHttps(link, own)));
  const [byMail] = links.flatMap((link) => present(readMail(link, own)));
  const posts = fieldValues(mail, "list-unsubscribe-post");
  const isOffered = signers === null || signers.oneClick.length > 0;
  const isOneClick = isOffered && posts.length === 1 && /^List-Unsubscribe=One-Click$/i.test(posts[0] ?? "");
  const pages = url === null ? [null] : [url, null];
  const targets: readonly ListTarget[] = [
    ...(url !== null && isOneClick ? [{ way: { kind: "one-click", url }, page: null } as const] : []),
    ...(byMail ? pages.map((page) => ({ way: byMail, page })) : []),
    ...(url === null ? [] : [{ way: { kind: "page", url }, page: null } as const]),
  ];
  const proven = targets.filter((target) => isProven(target, signers ?? noSigners));
  return [
    ...proven.map((target) => ({ ...target, isProven: true }) as const),
    ...targets.filter((target) => !proven.includes(target)),
  ];
};

/** Names a list on pages and in notifications: the host or the address that leaves it. */
export const nameOfList = ({ way }: ListTarget): string =>
  way.kind === "mail" ? way.to : new URL(way.url).hostname;
