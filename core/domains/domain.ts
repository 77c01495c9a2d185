import * as t from "io-ts";
import { refined, requiredText } from "../api/textCodecs.ts";
import { ShownText } from "../api/wireCodecs.ts";
import { dayMs } from "../kernel/durations.ts";
import { domainName } from "../mail/domainName.ts";

/** The most domains of their own that one account may add. */
export const maxOwnDomains = 10;

/** The most masks that mail may make at one domain in a day (UTC). */
export const maxMadePerDay = 100;

/** The days after which no more masks are made at a domain whose proof is missing. */
export const lapseDays = 14;

/** Says what a domain looks like. */
export const domainMessage = "Enter a domain such as example.com";

/** A domain as its owner types it, in any script; not a web address. */
export const OwnDomainName = refined(domainName(domainMessage), (name) => name.includes("."), domainMessage);

/** Names that stand for services of the installation, or that others would take for its own. */
const reservedLabels: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api app assets auth autoconfig autodiscover backup billing blog bounce
  bounces broadcasthost caldav carddav cdn cloud cpanel dashboard dav demo dev dkim dmarc dns docs domainkey ftp gateway
  git help host hostmaster id imap imaps info internal ipv4 ipv6 isatap localdomain localhost login mail mailer
  mailer-daemon mails mask masks monitor mta mta-sts mx news no-reply noreply noc ns oauth official openpgpkey panel
  pop pop3 pop3s portal postmaster proxy relay root secure security server sftp shop smtp smtps spf ssh ssl ssladmin
  sslwebmaster sso staging static status sts submission support sysadmin system team test tls vpn web webdisk webmail
  webmaster whm wiki wpad www`.split(/\s+/),
);

/** True if the name of a sub-domain, in lower case, stands for a service, also with a number: `mx3`, `ns-2`. */
export const isReservedLabel = (label: string): boolean =>
  reservedLabels.has(label) || reservedLabels.has(label.replace(/-?\d+$/, ""));

/** Local parts that certificate authorities send proofs to (Baseline Requirements, 3.2.2.4.4), and those of networks (RFC 2142, 4). */
export const operatorNames: ReadonlySet<string> = new Set(
  `abuse admin administrator hostmaster mailer-daemon noc postmaster root security ssl ssladmin ssladministrator
  sslwebmaster sysadmin webmaster`.split(/\s+/),
);

/** The other names of RFC 2142, and those that look like mail of the installation. */
const serviceNames: ReadonlySet<string> = new Set(
  "ftp info marketing news no-reply noreply sales support usenet uucp www".split(" "),
);

/**
 * Returns what a local part, in any case and with any tag, means at a sub-domain of the installation: one of its operator is never a mask;
 * one of a service becomes no new mask, because others would take it for the installation's own.
 */
export const roleOf = (localPart: string): "operator" | "service" | null => {
  const name = localPart.toLowerCase().split("+", 1)[0] ?? "";
  if (operatorNames.has(name)) return "operator";
  return serviceNames.has(name) ? "service" : null;
};

/** Says that a sub-domain has a name that nobody may claim. */
export const reservedName = "This name is reserved. Choose another one.";

const minSubdomainLength = 3;
export const maxSubdomainLength = 30;

/** The name of a sub-domain of the installation, in lower case. */
export const SubdomainLabel = refined(
  refined(
    refined(
      new t.Type<string, string, unknown>(
        "name of a sub-domain",
        t.string.is,
        (u, context) =>
          typeof u === "string" ? t.success(u.trim().toLowerCase()) : t.failure(u, context, "Enter a name"),
        (label) => label,
      ),
      (label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label) && !/^\d+$|^..--/.test(label),
      "Use the letters a to z, digits and hyphens, with at least one letter and no hyphen at the ends",
    ),
    ({ length }) => length >= minSubdomainLength && length <= maxSubdomainLength,
    `Use ${minSubdomainLength} to ${maxSubdomainLength} characters`,
  ),
  (label) => !isReservedLabel(label),
  reservedName,
);

/** The treatment of mail for addresses without a mask: refused, or a mask is made, for all names or for some. */
const CatchAll = t.union([t.literal("off"), t.literal("all"), t.literal("pattern")]);
export type CatchAll = t.TypeOf<typeof CatchAll>;

const maxPatterns = 20;
const patternMessage = "A pattern is the part before the @, with * for any text, such as shop-*";

/** The part of an address before the "@", with "*" for any text. */
const Pattern = refined(
  requiredText(patternMessage),
  (text) => text.length <= 64 && /^[a-z0-9._+*-]+$/i.test(text) && !/\*\*/.test(text),
  patternMessage,
);

/** The patterns of a domain. */
const Patterns = refined(
  t.readonlyArray(Pattern),
  ({ length }) => length <= maxPatterns,
  `A domain has at most ${maxPatterns} patterns`,
);

/** True if a local part matches a pattern as a whole, without regard to case; takes linear time for a given pattern. */
export const matchesPattern = (pattern: string, localPart: string): boolean => {
  const text = localPart.toLowerCase();
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
};

const RecordPurpose = t.union([
  t.literal("proof"),
  t.literal("mail"),
  t.literal("dkim"),
  t.literal("spf"),
  t.literal("dmarc"),
]);
export type RecordPurpose = t.TypeOf<typeof RecordPurpose>;

/** A DNS record that a domain needs, and what the last check found. */
export const DomainRecord = t.type({
  purpose: RecordPurpose,
  type: t.union([t.literal("TXT"), t.literal("MX")]),
  /** Without a final dot. */
  name: t.string,
  /** As in a zone file; the content of a TXT record is without quotes. */
  value: t.string,
  state: t.union([t.literal("ok"), t.literal("warning"), t.literal("problem"), t.literal("unknown")]),
  /** The answer of DNS; empty before the first check. */
  is: t.string,
});
export type DomainRecord = t.TypeOf<typeof DomainRecord>;

/**
 * "waiting" for the proof, "ready", "incomplete" when proven but a record is missing that mail needs, or "lapsed" when the
 * proof is missing that was there before: masks go on, and after `lapseDays` no new ones are made.
 */
const DomainState = t.union([
  t.literal("waiting"),
  t.literal("ready"),
  t.literal("incomplete"),
  t.literal("lapsed"),
]);
export type DomainState = t.TypeOf<typeof DomainState>;

/** A domain of a user whose addresses are masks: one of their own, or a sub-domain of the installation. */
export const Domain = t.type({
  id: t.string,
  kind: t.union([t.literal("own"), t.literal("sub")]),
  /** In ASCII and lower case, as in the addresses of its masks. */
  name: domainName("a domain"),
  /** As people write it: "bücher.example" for "xn--bcher-kva.example". */
  shownName: ShownText,
  state: DomainState,
  records: t.readonlyArray(DomainRecord),
  /** ISO 8601; null before the first check. */
  checkedAt: t.union([t.string, t.null]),
  /** The time since which the proof is missing, as ISO 8601; null while it is there. */
  lapsedSince: t.union([t.string, t.null]),
  catchAll: CatchAll,
  patterns: t.readonlyArray(t.string),
  /** True if a mask that mail makes holds the mail of each sender until its owner approves them. */
  approveFirst: t.boolean,
  /** The destination of masks that mail makes; null for the default address. */
  destination: t.union([t.string, t.null]),
  /** Its masks, without deleted ones. */
  masks: t.number,
});
export type Domain = t.TypeOf<typeof Domain>;

/** True if new masks can be made at a domain. */
export const takesMasks = ({ state, lapsedSince }: Domain, now: number): boolean =>
  state !== "waiting" && (lapsedSince === null || now < Date.parse(lapsedSince) + lapseDays * dayMs);

/** A change of how a domain takes mail; what is left out stays. */
export const DomainChange = t.partial({
  catchAll: CatchAll,
  patterns: Patterns,
  approveFirst: t.boolean,
  /** One of the user's confirmed addresses; null for the default one. */
  destination: t.union([t.string, t.null]),
});
export type DomainChange = t.TypeOf<typeof DomainChange>;
