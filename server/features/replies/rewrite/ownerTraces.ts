import { domainToASCII, domainToUnicode } from "node:url";
import { domainOf, isRelatedDomain, localPartOf, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../../core/mail/forwardedFrom.ts";
import { forwardedName, unverifiedMark } from "../../../mime/forwardedName.ts";
import { actionLinkPath, unsubscribePath } from "../../actionLinks/actionLinks.ts";
import { dotlessDomains } from "../mailboxSpelling.ts";
import { createFindHashes } from "./addressHashes.ts";
import { type DecodedText, decodeText, foldText } from "./decodedText.ts";

/** The traces of its owner that a reply must not reveal, and their replacements. */
export interface Disguise {
  readonly maskEmail: string;
  /** The mask's description, which nobody else may read. */
  readonly description: string;
  /** Today's and earlier descriptions that forwarded mail has shown beside names; none when missing. */
  readonly shownDescriptions?: readonly string[];
  readonly maskDomain: string;
  readonly ownerAddresses: readonly string[];
  /** The names of the owner in the reply. */
  readonly ownerNames: readonly string[];
  /** The hosts that the reply has come through, and the domains of the owner's addresses. */
  readonly ownerHosts: readonly string[];
  /** The mask's correspondents, by the local part of their reverse address. */
  readonly correspondents: ReadonlyMap<string, Sender>;
}

/** Replaces everything in a decoded text that must not be revealed. Throws `GrownTooLong`. */
export type Replace = (text: string) => string;

/** The two replacements: of what an author sees and writes, and of what programs add where nobody looks. */
export interface Replacements {
  /** Replaces the owner's addresses by the mask, and reverse addresses by the real ones. */
  readonly visible: Replace;
  /** Replaces also the owner's names, local parts of addresses, and hosts. */
  readonly hidden: Replace;
}

/** The replacements make a text more than twice as long, and 64 KiB longer. */
export class GrownTooLong extends Error {}

const freeGrowth = 64 * 1024;

/** Shorter local parts and names are parts of too many words. */
const leastNameLength = 5;

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

// In decoded text, where a run of blanks is one.
const at = "(?:\\s?[@#]\\s?|=|\\s?[([{<]\\s?(?:at|@)\\s?[)\\]}>]\\s?|\\sat\\s|[._-]at[._-])";
const dot = "(?:\\.|\\s?[([{<]\\s?(?:dot|punkt|point|\\.)\\s?[)\\]}>]\\s?|\\sdot\\s)";
/** A tag such as in me+tag@…, and the quotation mark of a quoted local part. */
const tag = "(?:\\+[^\\s@<>\"'()\\[\\]&;,]{0,64}?)?[\"']?";
const subdomains = "(?:[a-z0-9-]{1,63}\\.){0,3}";

const dotted = (text: string): string => text.split(".").map(escapePattern).join(dot);

const localPattern = (localPart: string, domain: string): string =>
  dotlessDomains.has(domain)
    ? [...localPart.replaceAll(".", "")].map(escapePattern).join("\\.?")
    : dotted(localPart);

const domainForms = (domain: string): readonly string[] => {
  if (dotlessDomains.has(domain)) return [...dotlessDomains];
  if (/^[a-z0-9.-]+$/.test(domain) && !domain.includes("xn--")) return [domain];
  return [...new Set([domain, domainToASCII(domain), foldText(domainToUnicode(domain))])].filter(Boolean);
};

const patternsOf = (address: string): { readonly local: string; readonly domain: string } => {
  const domain = foldText(domainOf(address));
  return {
    local: localPattern(foldText(localPartOf(address)).replace(/\+.*$/, ""), domain),
    domain: `(?:${domainForms(domain).map(dotted).join("|")})`,
  };
};

/** The address with any tag, at its domain or a host below it. */
const addressPattern = (address: string): string => {
  const { local, domain } = patternsOf(address);
  return `${local}${tag}${at}${subdomains}${domain}`;
};

/** The address the other way around, as senders are rewritten (SRS); labels before its domain are found from there. */
const rewrittenPattern = (address: string): string => {
  const { local, domain } = patternsOf(address);
  return `${domain}=${local}(?=${tag}@)`;
};

/** A name in one or in the other order, with what may be between its words. */
const namePattern = (name: string): string => {
  const words = foldText(name)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  const joined = (some: readonly string[]): string => some.map(escapePattern).join("[\\s.,_+-]{0,2}");
  return [joined(words), joined([...words.slice(-1), ...words.slice(0, -1)])].join("|");
};

const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** The character before a place; a pair of surrogates is one. */
const characterBefore = (text: string, place: number): string =>
  String.fromCodePoint(
    text.codePointAt(/[\udc00-\udfff]/.test(text[place - 1] ?? "") ? place - 2 : place - 1) ?? 0x20,
  );

/**
 * True if no word reaches into the text at a place; punctuation before it, such as of a list, is not one. In a rewritten sender
 * ("bounces-me=home.test@…"), the word before a hyphen is another.
 */
const beginsWord = (text: string, place: number, isRewritten = false): boolean => {
  let before = place;
  while (!isRewritten && before > 0 && place - before < 8 && /[._-]/.test(text[before - 1] ?? ""))
    before -= 1;
  return before === 0 || !isLetter(characterBefore(text, before));
};

interface Finding {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Finds what must be replaced in a decoded text, by ranges of its source, in any order. */
type Find = (decoded: DecodedText, source: string) => readonly Finding[];

/** Returns where something may begin that was found at a place, the earliest first; `from` is the earliest of all. */
type StartsOf = (text: string, place: number, from: number) => readonly number[];

const whereFound: StartsOf = (_, place) => [place];

const createFind =
  (pattern: RegExp, replacementOf: (found: string) => string, startsOf = whereFound): Find =>
  ({ text, sourceOf }, source) => {
    const findings: Finding[] = [];
    pattern.lastIndex = 0;
    let from = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { length } = match[0];
      const place = match.index;
      const isRewritten = match[0].includes("=");
      // In "x<b>me@…" only the source shows that the word ends, and in "%20me@…" only the decoded text.
      const begin = startsOf(text, place, from).find((one) => {
        const [start] = sourceOf(one, one + 1);
        return beginsWord(text, one, isRewritten) || (start > 0 && beginsWord(source, start));
      });
      if (begin === undefined) pattern.lastIndex = place + 1;
      else {
        const [start, end] = sourceOf(begin, place + length);
        findings.push({ start, end, replacement: replacementOf(text.slice(begin, place + length)) });
        from = place + length;
      }
    }
    return findings;
  };

const labelsBefore = new RegExp(`(?<=(${subdomains}))`, "y");

/**
 * With the labels before it. A pattern that began with them would be tried at each character of a text, which takes as
 * long as its longest words; this one is tried where the domain is.
 */
const withSubdomains: StartsOf = (text, place, from) => {
  labelsBefore.lastIndex = place;
  const [, labels = ""] = labelsBefore.exec(text) ?? [];
  const starts = [...labels.matchAll(/[^.]+/g)].map(({ index }) => place - labels.length + index);
  return [...starts, place].filter((start) => start >= from);
};

/** Without what is part of somebody else's address. */
const createWordPattern = (words: readonly string[]): RegExp | null =>
  words.length === 0 ? null : new RegExp(`(?<!@)(?:${words.join("|")})(?![\\p{L}\\p{N}@])`, "gu");

/** The words at the hosts, as an address made of them. */
const createJoinedPattern = (words: readonly string[], hosts: readonly string[]): RegExp | null =>
  words.length === 0 || hosts.length === 0
    ? null
    : new RegExp(`(?:${words.join("|")})@(?:${hosts.join("|")})(?![\\p{L}\\p{N}])`, "gu");

interface NameNode {
  readonly next: Map<string, NameNode>;
  replacement: string | null;
}

/** Finds names by a tree of their characters, so that many that begin alike take no more time. */
const createFindNames = (names: ReadonlyMap<string, string>): Find => {
  const root: NameNode = { next: new Map(), replacement: null };
  for (const [name, replacement] of names) {
    let node = root;
    for (const character of decodeText(name, { asSource: false }).text) {
      const next = node.next.get(character) ?? { next: new Map(), replacement: null };
      node.next.set(character, next);
      node = next;
    }
    node.replacement ??= replacement;
  }
  const findAt = (
    text: string,
    start: number,
  ): { readonly end: number; readonly replacement: string } | null => {
    let node = root;
    let place = start;
    let found = null;
    for (;;) {
      const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
      const next = place < text.length ? node.next.get(character) : undefined;
      if (!next) return found;
      [node, place] = [next, place + character.length];
      if (node.replacement !== null) found = { end: place, replacement: node.replacement };
    }
  };
  if (root.next.size === 0) return () => [];
  const firsts = new RegExp([...root.next.keys()].map(escapePattern).join("|"), "gu");
  return ({ text, sourceOf }) => {
    const findings: Finding[] = [];
    firsts.lastIndex = 0;
    for (let match = firsts.exec(text); match !== null; match = firsts.exec(text)) {
      const found = findAt(text, match.index);
      if (!found) continue;
      const [start, end] = sourceOf(match.index, found.end);
      findings.push({ start, end, replacement: found.replacement });
      firsts.lastIndex = found.end;
    }
    return findings;
  };
};

/** Applies findings from first to last; of two that overlap, the one that begins first, or the longer one. */
const applyFindings = (source: string, findings: readonly Finding[]): string => {
  const pieces: string[] = [];
  let copied = 0;
  let room = source.length + freeGrowth;
  for (const { start, end, replacement } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < copied) continue;
    pieces.push(source.slice(copied, start), replacement);
    room -= Math.max(0, replacement.length - (end - start));
    if (room < 0) throw new GrownTooLong();
    copied = end;
  }
  return pieces.join("") + source.slice(copied);
};

const mayBeSource = /<[a-z/!]|=(?:[ \t]{0,3}\r?\n|[2-7][0-9a-f])/i;

const createReplaceBy =
  (finders: readonly Find[]): Replace =>
  (text) => {
    const replaceIn = (source: string, asSource: boolean): string => {
      const decoded = decodeText(source, { asSource });
      return applyFindings(
        source,
        finders.flatMap((find) => find(decoded, source)),
      );
    };
    const replaced = replaceIn(text, false);
    if (!mayBeSource.test(replaced)) return replaced;
    const whole = replaceIn(replaced, true);
    if (whole.length > 2 * text.length + freeGrowth) throw new GrownTooLong();
    return whole;
  };

const reversePattern = (maskDomain: string): RegExp =>
  new RegExp(`re-[a-z2-7]{32}(?:\\s?@\\s?|=|\\sat\\s)${dotted(foldText(maskDomain))}`, "gu");

const actionLink = new RegExp(
  `${actionLinkPath}/[a-z0-9_-]{8,200}|${unsubscribePath}/[a-z0-9_-]{8,1000}`,
  "giu",
);

/** The signature of a link that acts on the mask or leaves a list, which an answer quotes with the mail: whoever has it could use it. */
const findActionLinks: Find = ({ text, sourceOf }) =>
  [...text.matchAll(actionLink)].map(({ index, 0: found }) => {
    const [start, end] = sourceOf(index, index + found.length);
    return { start, end, replacement: "/" };
  });

/** Finds descriptions in parentheses, as forwarded mail shows them after a name, with the blank before. */
const createFindDescriptions = ({ shownDescriptions = [] }: Disguise): readonly Find[] => {
  const folded = shownDescriptions.map((one) => foldText(one).trim()).filter(Boolean);
  if (folded.length === 0) return [];
  const longestFirst = folded.toSorted((one, other) => other.length - one.length).map(escapePattern);
  const pattern = new RegExp(`\\s?\\(\\s?(?:${longestFirst.join("|")})\\s?\\)`, "gu");
  return [
    ({ text, sourceOf }) =>
      [...text.matchAll(pattern)].map(({ index, 0: found }) => {
        const [start, end] = sourceOf(index, index + found.length);
        return { start, end, replacement: "" };
      }),
  ];
};

const reverseLocalPartOf = (found: string): string => found.slice(0, 35);

/** The names under which forwarded mail shows correspondents, with their own. */
const shownNames = ({ correspondents, description }: Disguise): ReadonlyMap<string, string> =>
  new Map(
    [...correspondents.values()].flatMap((sender) => {
      const name = sender.name || sender.address;
      const withDescription = forwardedName(sender, false, { shown: "mask", description });
      return [withDescription, ...(sender.name === "" ? [] : [forwardedName(sender)])]
        .filter((shown) => shown !== name)
        .flatMap((shown) => [[`${unverifiedMark} ${shown}`, name] as const, [shown, name] as const]);
    }),
  );

const ownersOf = ({ ownerAddresses }: Disguise): readonly string[] =>
  [...new Set(ownerAddresses.map(mailboxKey))].sort((a, b) => b.length - a.length);

/** Creates the searches for the owner's addresses in decoded text; none without an address. */
const createFindOwner = (disguise: Disguise, replacement: string): readonly Find[] => {
  const owners = ownersOf(disguise);
  if (owners.length === 0) return [];
  const patternOf = (write: (address: string) => string): RegExp =>
    new RegExp(`(?:${owners.map(write).join("|")})(?![\\p{L}\\p{N}-])`, "gu");
  return [
    createFind(patternOf(addressPattern), () => replacement),
    createFind(patternOf(rewrittenPattern), () => replacement, withSubdomains),
  ];
};

/** Creates the search for digests of the owner's addresses, which become those of the mask. */
const createFindDigests = ({ ownerAddresses, maskEmail }: Disguise): Find => {
  const findHashes = createFindHashes(ownerAddresses, maskEmail);
  return ({ text, sourceOf }) =>
    findHashes(text).map(({ index, length, replacement }) => {
      const [start, end] = sourceOf(index, index + length);
      return { start, end, replacement };
    });
};

/** Hosts that the mask's own address does not show. */
const hostPatterns = ({ ownerHosts, maskDomain, maskEmail }: Disguise): readonly string[] =>
  ownerHosts
    .map(foldText)
    .filter((host) => [maskDomain, domainOf(maskEmail)].every((own) => !isRelatedDomain(host, foldText(own))))
    .map((host) => `${subdomains}${dotted(host)}`);

/** Names, descriptions and local parts that are long enough, and that the mask's own address does not show. */
const nicknamePatterns = ({
  ownerNames,
  ownerAddresses,
  maskEmail,
  shownDescriptions = [],
}: Disguise): readonly string[] =>
  [
    ...ownerNames,
    ...shownDescriptions,
    ...ownerAddresses.map((owner) => localPartOf(owner).replace(/\+.*$/, "")),
  ]
    .map((name) => foldText(name).trim())
    .filter((name) => name.length >= leastNameLength && !foldText(maskEmail).includes(name))
    .map(namePattern)
    .filter((pattern) => pattern !== "|");

const createFinder =
  (finders: readonly Find[]): ((text: string) => boolean) =>
  (text) => {
    if (finders.length === 0) return false;
    const isIn = (decoded: DecodedText): boolean => finders.some((find) => find(decoded, text).length > 0);
    const shown = decodeText(text, { asSource: false });
    return isIn(shown) || (shown.mayBeSource && isIn(decodeText(text, { asSource: true })));
  };

/** Creates the search for the owner's addresses in any form, and for private descriptions of the mask. */
export const createOwnerFinder = (disguise: Disguise): ((text: string) => boolean) =>
  createFinder([
    ...createFindOwner(disguise, ""),
    ...createFindDescriptions(disguise),
    createFindDigests(disguise),
  ]);

interface TracePatterns {
  readonly joined: RegExp | null;
  readonly nicknames: RegExp | null;
  readonly hosts: RegExp | null;
}

const createTracePatterns = (disguise: Disguise): TracePatterns => {
  const nicknames = nicknamePatterns(disguise);
  const hosts = hostPatterns(disguise);
  return {
    joined: createJoinedPattern(nicknames, hosts),
    nicknames: createWordPattern(nicknames),
    hosts: createWordPattern(hosts),
  };
};

/** Creates the search for the owner's names, local parts of addresses, and hosts. */
export const createTraceFinder = (disguise: Disguise): ((text: string) => boolean) => {
  const patterns = Object.values(createTracePatterns(disguise)).filter((pattern) => pattern !== null);
  return createFinder(patterns.map((pattern) => createFind(pattern, () => "")));
};

/** Creates the replacements for a reply. */
export const createReplacements = (disguise: Disguise): Replacements => {
  const { maskEmail, maskDomain, correspondents } = disguise;
  const findAddresses = [
    findActionLinks,
    ...createFindOwner(disguise, maskEmail),
    createFind(
      reversePattern(maskDomain),
      (found) => correspondents.get(reverseLocalPartOf(found))?.address ?? maskEmail,
    ),
    createFindNames(shownNames(disguise)),
    ...createFindDescriptions(disguise),
    createFindDigests(disguise),
  ];
  const { joined, nicknames, hosts } = createTracePatterns(disguise);
  const findAll = (pattern: RegExp | null, replacement: string): readonly Find[] =>
    pattern ? [createFind(pattern, () => replacement)] : [];
  return {
    visible: createReplaceBy(findAddresses),
    hidden: createReplaceBy([
      ...findAddresses,
      ...findAll(joined, maskEmail),
      ...findAll(nicknames, localPartOf(maskEmail)),
      ...findAll(hosts, domainOf(maskEmail)),
    ]),
  };
};

/** Returns the local parts of the reverse addresses in a decoded text. */
export const reverseLocalPartsIn = (text: string, maskDomain: string): readonly string[] => [
  ...new Set(
    (decodeText(text, { asSource: true }).text.match(reversePattern(maskDomain)) ?? []).map(
      reverseLocalPartOf,
    ),
  ),
];
