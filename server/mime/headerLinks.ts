import { toAnswerable } from "../../core/mail/answerableAddress.ts";
import { decodeEncodedWords } from "./charsets.ts";
import { fieldValues, type MailWithHeader } from "./mailFields.ts";

/** A link in a field of a mailing list (RFC 2369, 2): a `mailto:` link (RFC 6068), or any other. */
export type HeaderLink =
  | {
      readonly kind: "mail";
      readonly to: readonly string[];
      readonly cc: readonly string[];
      /** The texts that the link puts into the mail, still encoded: subject and body. */
      readonly content: readonly string[];
    }
  | { readonly kind: "other"; readonly text: string };

/** Further links of a field are left out, and so are those that would make it longer. */
const maxLinks = 20;
const maxFieldLength = 4_096;
const maxAddresses = 10;

const mailScheme = /^mailto:/i;

const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const addressesIn = (list: string): readonly string[] =>
  list.split(",", maxAddresses).flatMap((one) => toAnswerable(decodePercent(one).trim()) ?? []);

const isContent = (name: string): boolean => name === "subject" || name === "body";

const readMailLink = (text: string): HeaderLink => {
  const [path = "", ...rest] = text.replace(mailScheme, "").split("?");
  const parameters = rest
    .join("?")
    .split("&")
    .map((one): readonly [string, string] => {
      const [name = "", ...value] = one.split("=");
      return [name.toLowerCase(), value.join("=")];
    });
  const named = (wanted: string): readonly string[] =>
    parameters.flatMap(([name, value]) => (name === wanted ? addressesIn(decodePercent(value)) : []));
  return {
    kind: "mail",
    to: [...addressesIn(path), ...named("to")].slice(0, maxAddresses),
    cc: named("cc").slice(0, maxAddresses),
    content: parameters.flatMap(([name, value]) =>
      isContent(name) && value.length <= maxFieldLength ? [`${name}=${value}`] : [],
    ),
  };
};

/**
 * Returns the values of the fields of a mailing list with a name, with encoded words decoded: they are not allowed there
 * (RFC 2047, 5), but programs write links in them, and others open those.
 */
export const linkFieldValues = (mail: MailWithHeader, name: string): readonly string[] =>
  fieldValues(mail, name).map((value) => (value.includes("=?") ? decodeEncodedWords(value) : value));

const encodedWord = /=\?[^?\s]{1,60}\?[bq]\?/i;

/** True if a program may read another value in the fields with a name than what stands there. */
export const hasEncodedWords = (mail: MailWithHeader, name: string): boolean =>
  fieldValues(mail, name).some((value) => encodedWord.test(value));

/** Links in angle brackets, and links without them, which some programs accept. */
const links = /<([^<>]*)>|((?:https?|mailto):[^\s<>,]*)/gi;

/** Returns the links of a field; white space in them is ignored (RFC 2369, 2), and so is text around them. */
export const readLinks = (value: string): readonly HeaderLink[] =>
  Array.from(value.matchAll(links), ([, inBrackets, bare]) =>
    (inBrackets ?? bare ?? "").replaceAll(/\s+/g, ""),
  )
    .filter((text) => text !== "")
    .slice(0, maxLinks)
    .flatMap((text): readonly HeaderLink[] => {
      if (mailScheme.test(text)) return [readMailLink(text)];
      // An address without a scheme is no link, but some programs write to it.
      return (/^https?:/i.test(text) || !text.includes("@")) && text.length <= maxFieldLength
        ? [{ kind: "other", text }]
        : [];
    });

const webLinks = /<\s*https?:[^<>]*>/gi;

/** True if a program may write to somebody because of the value of such a field. */
export const leadsToMail = (value: string): boolean =>
  (value.includes("@") || /mailto:/i.test(value.replaceAll(/\s+/g, ""))) &&
  /@|mailto:/i.test(value.replaceAll(webLinks, "").replaceAll(/\s+/g, ""));

/** A path of `mailto:` must not contain what separates its parts (RFC 6068, 2). */
const encodeAddress = (address: string): string =>
  encodeURIComponent(address).replaceAll("%40", "@").replaceAll("%2B", "+");

/** The beginning of an encoded word, which a program might decode as a part of the field. */
const encodedWordStart = /=\?(?=[^?\s]{1,60}\?[bq]\?)/gi;

const encodeOthers = (text: string): string =>
  text.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent).replaceAll(encodedWordStart, "=%3F");

/** A line of a header has at most 998 octets (RFC 5322, 2.1.1). */
const foldLink = (text: string): string => (text.match(/.{1,900}/g) ?? []).join("\r\n ");

/**
 * Writes links as the value of a field, with addresses as `replace` returns them; null when no link is left. A `mailto:`
 * link keeps subject and body.
 */
export const writeLinks = (
  found: readonly HeaderLink[],
  replace: (address: string) => string | null,
): string | null => {
  const replaceAll = (addresses: readonly string[]): string =>
    addresses
      .flatMap((address) => replace(address) ?? [])
      .map(encodeAddress)
      .join(",");
  const written = found.flatMap((link): readonly string[] => {
    if (link.kind === "other") return [`<${encodeOthers(link.text)}>`];
    const to = replaceAll(link.to);
    const cc = replaceAll(link.cc);
    if (to === "") return [];
    const query = [...(cc === "" ? [] : [`cc=${cc}`]), ...link.content.map(encodeOthers)].join("&");
    return [`<mailto:${to}${query === "" ? "" : `?${query}`}>`];
  });
  let length = 0;
  const fitting = written.filter((text) => {
    const fits = length + text.length <= maxFieldLength;
    if (fits) length += text.length;
    return fits;
  });
  return fitting.length === 0 ? null : fitting.map(foldLink).join(",\r\n ");
};
