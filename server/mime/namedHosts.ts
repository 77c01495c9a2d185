import { domainToASCII, domainToUnicode } from "node:url";
import { parse } from "tldts";
import unhomoglyph from "unhomoglyph";
import { registrableDomain } from "../platform/dns/registrableDomain.ts";
import { maxReadUnits } from "./displayName.ts";

/** Letters that look like small Latin ones in many fonts, and that UTS 39 does not count as such. */
const furtherLookalikes: Readonly<Record<string, string>> = {
  т: "t",
  τ: "t",
  ᴛ: "t",
  к: "k",
  κ: "k",
  ĸ: "k",
  м: "m",
  ᴍ: "m",
  н: "h",
  ʜ: "h",
  в: "b",
  ʙ: "b",
  ᴇ: "e",
  ɴ: "n",
  "。": ".",
};

const further = new RegExp(`[${Object.keys(furtherLookalikes).join("")}]`, "g");
const notAscii = /[^\0-\x7f]+/g;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{M}\u2800]/gu;
const narrowSpaces = /[\u2005\u2006\u2008-\u200a\u202f\u205f]/g;

/** Letters in circles and squares, and the halves of flags: 26 from each of these code points. */
const letterSigns = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const signAlphabets = [0x1f1e6, 0x1f170, 0x1f150] as const;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const toLetter = (sign: string): string => {
  const point = sign.codePointAt(0) ?? 0;
  const first = signAlphabets.find((start) => point >= start) ?? point;
  return String.fromCharCode(0x61 + point - first);
};

/** Replaces what UTS 39 counts as looking alike. ASCII stays, so that "1" and "l" differ. */
const replaceConfusables = (text: string): string =>
  text.replace(notAscii, (letters) => unhomoglyph(letters));

const replaceLookalikes = (text: string): string =>
  replaceConfusables(
    text
      .replace(letterSigns, (sign) => toLetter(sign))
      .replace(further, (letter) => furtherLookalikes[letter] ?? letter),
  );

const withoutMarks = (text: string): string => text.normalize("NFKD").replace(invisible, "");

/**
 * Returns how a text reads in the Latin alphabet, in lower case: without invisible characters and marks, and with the
 * letters and signs that look like Latin ones replaced (UTS 39, 4). Capitals may look alike where small letters do not.
 */
const toSkeleton = (text: string): string =>
  withoutMarks(replaceLookalikes(replaceLookalikes(withoutMarks(text)).toLowerCase())).toLowerCase();

/** Top-level names that no public list has (RFC 2606, 6762, 7686, 9476). */
const reservedTopLevel = new Set(["test", "example", "invalid", "localhost", "local", "onion", "alt"]);

const isMixed = (label: string): boolean => /[a-z]/.test(label) && /[^\0-\x7f]/.test(label);

const lastLabel = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** True if the last label is a top-level domain, or a mixture of alphabets that imitates one. */
const isPublicHost = (name: string): boolean => {
  const last = lastLabel(name);
  return reservedTopLevel.has(last) || isMixed(last) || parse(name).isIcann === true;
};

const isTopLevelLabel = (label: string): boolean => /^\p{L}[\p{L}\p{M}\p{N}-]+$/u.test(label);

const label = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*`;
const bracketedDot = String.raw`\s?[([{<]\s?(?:dot|\.)\s?[)\]}>]\s?`;
const spelledDot = String.raw`(?:\s?\.\s?|${bracketedDot}|\sdot\s)`;
const atSign = String.raw`(?:@|[([{<]\s?(?:@|at)\s?[)\]}>]|(?<![\p{L}\p{N}])at(?=\s))\s?`;

const patterns = {
  /** The lookbehind has each word read once. */
  host: new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_.-])${label}(?:\.${label})+`, "gu"),
  hostAfterAt: new RegExp(String.raw`${atSign}(${label}(?:\.${label})+)`, "gu"),
  spelledHostAfterAt: new RegExp(`${atSign}(${label}(?:${spelledDot}${label})+)`, "gu"),
  bracketedDot: new RegExp(bracketedDot, "gu"),
  spelledDot: new RegExp(spelledDot, "gu"),
};

const findAll = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([all, named]) => named ?? all);

/** Returns the hosts after "@" or "at"; those that are spelled with blanks or words only when they are public. */
const addressHostsIn = (text: string): readonly string[] => [
  ...findAll(text, patterns.hostAfterAt).filter((name) => isTopLevelLabel(lastLabel(name))),
  ...findAll(text, patterns.spelledHostAfterAt)
    .map((name) => name.replaceAll(patterns.spelledDot, "."))
    .filter(isPublicHost),
];

/** Returns everything that reads as the name of a public host. */
const hostsIn = (text: string): readonly string[] => [
  ...addressHostsIn(text),
  ...findAll(text.replaceAll(patterns.bracketedDot, "."), patterns.host).filter(isPublicHost),
];

/** True if a domain in other letters looks like one in ASCII. */
const isLookalikeDomain = (shown: string): boolean =>
  !isAscii(shown) && isAscii(replaceConfusables(shown.normalize("NFKC").toLowerCase()));

/** Returns how a text is written, and how its shapes read, with and without its narrow spaces. */
const readingsOf = (text: string): { readonly written: string; readonly skeletons: readonly string[] } => {
  const cut = text.slice(0, maxReadUnits);
  const oneSpaced = (line: string): string => line.replaceAll(/\s+/g, " ");
  const written = oneSpaced(cut.normalize("NFKC").toLowerCase());
  if (isAscii(cut)) return { written, skeletons: [] };
  const joined = cut.replaceAll(narrowSpaces, "");
  const forms = joined === cut ? [cut] : [cut, joined];
  return { written, skeletons: forms.map((form) => oneSpaced(toSkeleton(oneSpaced(form)))) };
};

/** Returns the domain as it is written and as it is read; a domain that imitates another may not be named at all. */
const namesOf = (domain: string): readonly string[] => {
  const read = domainToUnicode(domain) || domain;
  return isLookalikeDomain(read) ? [] : [domain, read];
};

const namesForeign = (text: string, domain: string, find: (text: string) => readonly string[]): boolean => {
  const { written, skeletons } = readingsOf(text);
  const inWritten = find(written);
  const inSkeletons = skeletons.flatMap(find);
  if (inWritten.length + inSkeletons.length === 0) return false;
  const names = namesOf(domain.toLowerCase());
  const own = new Set(names.map(registrableDomain));
  const ownRead = new Set(names.map(toSkeleton).map(registrableDomain));
  return (
    inWritten.some((host) => !own.has(registrableDomain(host))) ||
    inSkeletons.some((host) => !own.has(registrableDomain(host)) && !ownRead.has(registrableDomain(host)))
  );
};

/**
 * True if a text that is shown beside an address contains an address of another domain than the address has, in whatever letters
 * it is written.
 */
export const namesForeignAddress = (text: string, domain: string): boolean =>
  /@|at|[^\0-\x7f]/i.test(text) && namesForeign(text, domain, addressHostsIn);

/** True if a text names a public host of another domain, in an address or alone; as `namesForeignAddress`. */
export const namesForeignHost = (text: string, domain: string): boolean =>
  /\.|\bdot\b|[^\0-\x7f]/i.test(text) && namesForeign(text, domain, hostsIn);

/** Returns a domain as it may be shown: encoded for DNS (RFC 5890) where it imitates another one in ASCII. */
export const toShownDomain = (domain: string): string =>
  isLookalikeDomain(domain) ? domainToASCII(domain) || domain : domain;
