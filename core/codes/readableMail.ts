import { withFewMarks } from "../kernel/manyMarks.ts";
import { toDomainName } from "../mail/domainName.ts";
import { decodeEntities, htmlToText } from "../mail/htmlText.ts";

/** The most characters that are read of a mail. */
export const readLimits = {
  subject: 500,
  text: 20_000,
  html: 262_144,
  links: 200,
  linkLength: 2_048,
} as const;

/** A link of a mail, with the words that a person sees for it. */
export interface MailLink {
  /** As a browser opens it, in ASCII. */
  readonly url: string;
  /** Its own words, or those before it where it stands as an address alone. */
  readonly words: string;
}

/** What a person reads of a mail: lines of text without markup, control characters and marks of direction, and its links. */
export interface ReadableMail {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly links: readonly MailLink[];
}

/** The texts of a mail as its parts have them; empty where it has none. */
export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Characters that one does not see: marks of direction, joiners, soft hyphens, variation selectors, controls. */
const unseen = /\p{Cf}|\p{Co}|\p{Cs}|\p{Variation_Selector}|(?![\n\t])\p{Cc}/gu;
/** Vowels and lengths that Arabic and Hebrew may be written with. */
const vowelMarks = /[\u064b-\u065f\u0670\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g;
/** Wide marks end a sentence or clause, and would become a decimal comma. */
const wideMarks = /[，：；！？]/g;

/** The first digits of scripts that have their own. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

const westernDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (zeros.findLast((zero) => code >= zero) ?? code));
  });

/** Returns a text of a stranger as a person sees it: wide letters and foreign digits as usual ones, nothing unseen. */
const readable = (text: string, maxLength: number): string =>
  westernDigits(
    withFewMarks(text.slice(0, maxLength))
      .replace(wideMarks, "$& ")
      .normalize("NFKC")
      .replace(unseen, "")
      .replace(vowelMarks, ""),
  )
    .slice(0, maxLength)
    .replace(/[\t\p{Zs}]+/gu, " ");

const linkBegins = "\ue000";
const linkEnds = "\ue001";
const hiddenBegins = "\ue002";
const hiddenEnds = "\ue003";
const hiddenText = /\ue002[^\ue003]*\ue003?/g;

/** What would stand as one of the four in the text, as it is or as a character reference. */
const ownMarks = /[\ue000-\ue003]|&#(?:x0{0,2}e00[0-3]|0{0,2}5734[4-7]);/gi;

/** A name of a tag or an attribute, and the value of the latter, with quotation marks or without. */
const attributes = /([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>]*)))?/g;

/** Returns the value of an attribute of a tag as it is written, the first one as in a browser; undefined without one. */
const attributeOf = (tag: string, name: string): string | undefined => {
  for (const [, found, double, single, bare] of tag.slice(1).matchAll(attributes))
    if (found?.toLowerCase() === name) return double ?? single ?? bare ?? "";
  return undefined;
};

const isClosing = (tag: string): boolean => tag.startsWith("</");

/** Elements without an end. */
const voidElement = /^(?:area|br|col|embed|hr|img|input|link|meta|source|wbr)$/;

/** Most tags have neither word, and their attributes need not be read. */
const mayHide = /hidden|none/i;

/** True if a tag hides its element, whatever stands in it. */
const isHidden = (tag: string): boolean =>
  mayHide.test(tag) &&
  (attributeOf(tag, "hidden") !== undefined ||
    /(?:^|;)(?:display:none|visibility:hidden)/.test(
      (attributeOf(tag, "style") ?? "").toLowerCase().replace(/\s+/g, ""),
    ));

/** Returns what marks where an element begins that its own tag hides, and where it ends; null for what is shown. */
const createHiding = (): ((name: string, tag: string) => string | null) => {
  let hidden: string | null = null;
  let depth = 0;
  const begin = (name: string, tag: string): string | null => {
    if (isClosing(tag) || !isHidden(tag)) return null;
    if (voidElement.test(name)) return "";
    hidden = name;
    depth = 1;
    return hiddenBegins;
  };
  const goOn = (name: string, tag: string): string => {
    if (name === hidden) depth += isClosing(tag) ? -1 : 1;
    if (depth > 0) return "";
    hidden = null;
    return hiddenEnds;
  };
  return (name, tag) => (hidden === null ? begin(name, tag) : goOn(name, tag));
};

/** The most characters of an HTML beside its tags: before blanks are joined, more than are read of the text. */
const maxHtmlText = 4 * readLimits.text;
/** Tags of more characters have no text. */
const maxTagLength = 8_192;

const textOfHtml = (html: string): { readonly text: string; readonly urls: readonly string[] } => {
  const urls: string[] = [];
  const marked = html.slice(0, readLimits.html).replace(ownMarks, " ");
  const hide = createHiding();
  const text = htmlToText(marked, maxHtmlText, (name, tag) => {
    if (tag.length > maxTagLength) return "";
    const hidden = hide(name, tag);
    if (hidden !== null) return hidden;
    if (name === "img") return ` ${attributeOf(tag, "alt") ?? ""} `;
    if (name !== "a") return "";
    if (isClosing(tag)) return linkEnds;
    const url = attributeOf(tag, "href");
    if (url === undefined || urls.length === readLimits.links) return "";
    urls.push(decodeEntities(url).trim());
    return linkBegins;
  });
  return { text: text.replace(hiddenText, ""), urls };
};

/** The parts of an address without a login: its protocol, host, port, and the rest. */
const openable = /^(https?):\/\/([^\s/?#@:\\"<>]+)(:\d{1,5})?([/?#][^\s"<>\\]*)?$/i;
/** A character reference that a browser may read, and we do not. */
const reference = /&(?:#|[a-z][a-z\d]*;)/i;

/**
 * Returns the address of a page in the letters that programs and people can tell apart: its host as A-labels, the rest in ASCII.
 * Null for what opens no page, hides its host behind a login or a number, or has characters that one does not see.
 */
const openedAddress = (url: string): string | null => {
  if (url.length > readLimits.linkLength || url.search(unseen) !== -1 || reference.test(url)) return null;
  const [, protocol = "", host = "", port = "", rest = ""] = openable.exec(url) ?? [];
  const name = toDomainName(host);
  if (name === null) return null;
  const ascii = rest.replace(/[^!-~]+/gu, (text) => encodeURIComponent(text));
  const address = `${protocol.toLowerCase()}://${name}${port}${ascii || "/"}`;
  return address.length <= readLimits.linkLength ? address : null;
};

const addressInText = /https?:\/\/[^\s<>"]+/gi;

const linesOf = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => {
    const trimmed = line.trim();
    return trimmed === "" ? [] : [trimmed];
  });

/** The most characters before an address that are read for it. */
const maxWordsBefore = 300;

/** Returns the last sentence of a text: what stands before belongs to something else. */
const lastSentence = (text: string): string =>
  text
    .slice(-maxWordsBefore)
    .split(/[.!?](?= )|。/)
    .findLast((sentence) => sentence.trim() !== "")
    ?.trim() ?? "";

/** Returns the addresses of a line, each with the sentence between the one before and it, or else with the line above. */
const linksOfLine = (line: string, above: string): readonly MailLink[] => {
  let from = 0;
  return [...line.matchAll(addressInText)].map(({ 0: url, index }) => {
    const own = lastSentence(line.slice(from, index));
    const words = own === "" && from === 0 ? lastSentence(above) : own;
    from = index + url.length;
    return { url: url.replace(/[).,;:!?\]}>'”»。]{1,4}$/u, ""), words };
  });
};

const linksOfText = (lines: readonly string[]): readonly MailLink[] =>
  lines.flatMap((line, n) => linksOfLine(line, lines[n - 1] ?? "")).slice(0, readLimits.links);

const readHtml = (html: string): Pick<ReadableMail, "lines" | "links"> => {
  const { text, urls } = textOfHtml(html);
  const links: MailLink[] = [];
  let before = "";
  const plain = text.split(linkBegins).map((piece, n) => {
    const url = urls[n - 1];
    if (url === undefined) {
      before = piece;
      return piece;
    }
    const end = piece.indexOf(linkEnds);
    const own = readable(end === -1 ? piece.slice(0, 200) : piece.slice(0, end), 500).trim();
    const isAddress = own === "" || own.includes("://");
    const words = isAddress ? lastSentence(linesOf(readable(before.slice(-500), 500)).at(-1) ?? "") : own;
    links.push({ url, words });
    before = end === -1 ? piece : piece.slice(end);
    return piece;
  });
  const lines = linesOf(readable(plain.join("").replaceAll(linkEnds, ""), readLimits.text));
  return { lines, links };
};

/** Reads a mail of a stranger: its HTML where it has some, and else its text. The time is linear in its length. */
export const readableMail = ({ subject, text, html }: MailTexts): ReadableMail => {
  const byHtml = html === "" ? { lines: [], links: [] } : readHtml(html);
  const textLines = byHtml.lines.length === 0 ? linesOf(readable(text, readLimits.text)) : [];
  const { lines, links } =
    byHtml.lines.length > 0 ? byHtml : { lines: textLines, links: linksOfText(textLines) };
  return {
    subject: readable(subject, readLimits.subject).replaceAll("\n", " ").trim(),
    lines: lines.map((line) => line.replace(addressInText, " ")),
    links: links.flatMap(({ url, words }) => {
      const address = openedAddress(url);
      return address === null ? [] : [{ url: address, words }];
    }),
  };
};
