import { escapeHtml } from "../../../core/api/textCodecs.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { findMimeLeaves, findTransferEncoding, type MimeLeaf } from "../../mime/mimeLeaves.ts";
import { visibleEnd } from "./visibleEnd.ts";

/** A link and what it does, in ASCII. */
export interface FooterLink {
  readonly label: string;
  readonly url: string;
}

/** The lines below the text of a mail, in ASCII. */
export interface LinkFooter {
  readonly about: string;
  readonly links: readonly FooterLink[];
}

/** Larger texts get no footer: the whole part is decoded and encoded. */
const maxTextBytes = 2 * 1024 * 1024;

/** The bytes of a mail at all its masks that get a footer: each has a copy of its own, in memory until it is delivered. */
export const maxFootedBytes = 5 * 1024 * 1024;

/** Character sets in which bytes below 128 are ASCII, and in which a text ends as it began. */
const asciiCharsets =
  /^(?:|(?:us-)?ascii|utf-?8|iso-?8859-\d{1,2}|latin\d|(?:windows|cp)-?125\d|koi8-[ru]|gb2312|gbk|gb18030|big5|euc-(?:jp|kr|tw)|shift_jis|tis-620|macintosh)$/;

const isText = ({ type }: MimeLeaf): boolean => type === "" || type === "text/plain";
const isHtml = ({ type }: MimeLeaf): boolean => type === "text/html";

const lineBreak = "\r\n";

const textFooter = ({ about, links }: LinkFooter): string =>
  ["", "---", about, ...links.map(({ label, url }) => `${label}: ${url}`), ""].join(lineBreak);

const htmlFooter = ({ about, links }: LinkFooter): string =>
  [
    "",
    '<div style="clear:both;margin:24px 0 0;padding:12px 0 0;border-top:1px solid #8a8a8a;',
    'font:13px/1.5 sans-serif;color:#767676;text-align:left">',
    escapeHtml(about),
    ...links.map(({ label, url }) => `<br><a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`),
    "</div>",
    "",
  ].join(lineBreak);

const withoutBreaks = (bytes: Buffer): string => bytes.toString("latin1").replace(/[\r\n]+/g, "");

const endsLine = (bytes: Buffer): boolean => bytes.subarray(-2).toString("latin1") === lineBreak;

/** Returns a text part with the footer; null when it is not certain that everything else in it stays as it is. */
const withFooter = (part: Buffer, leaf: MimeLeaf, footer: LinkFooter): Buffer | null => {
  const encoding = findTransferEncoding(leaf.encoding);
  // An empty part may lack the empty line after its header.
  if (!encoding || part.length === 0 || part.length > maxTextBytes || !asciiCharsets.test(leaf.charset))
    return null;
  const text = encoding.decode(part);
  if (text.includes("-----BEGIN PGP ")) return null;
  // Base 64 that is not written as usual may have been read wrongly.
  if (leaf.encoding === "base64" && withoutBreaks(encoding.encode(text)) !== withoutBreaks(part)) return null;
  const at = isHtml(leaf) ? visibleEnd(text) : text.length;
  if (at === null) return null;
  const startsLine = at === 0 || text.endsWith(lineBreak, at) ? "" : lineBreak;
  const added = startsLine + (isHtml(leaf) ? htmlFooter(footer) : textFooter(footer));
  const edited = encoding.edit(part, [{ start: at, end: at, text: added }]);
  return endsLine(part) && !endsLine(edited) ? Buffer.concat([edited, Buffer.from(lineBreak)]) : edited;
};

/** Returns the parts that a mail program shows as the mail's text: the first, and the other form of it. */
const shownTexts = (leaves: readonly MimeLeaf[]): readonly MimeLeaf[] => {
  const [first] = leaves;
  if (!first || first.isAttachment || !(isText(first) || isHtml(first))) return [];
  if (first.alternative === null) return [first];
  const forms = leaves.filter((leaf) => leaf.alternative === first.alternative && !leaf.isAttachment);
  return [isText, isHtml].flatMap((isForm) => forms.find(isForm) ?? []).toSorted((a, b) => a.start - b.start);
};

/**
 * Writes links below the text of a mail, in its plain and its HTML form; all other bytes stay. Returns null when that is not
 * possible: the mail is large, signed or encrypted, does not begin with a text, or has one in an encoding or a character set
 * that cannot be changed, or at whose end nothing is seen.
 */
export const addLinkFooter = (content: Buffer, header: HeaderBlock, footer: LinkFooter): Buffer | null => {
  if (header.isText || content.length > maxFootedBytes) return null;
  const found = findMimeLeaves(content, header);
  if (!found || found.isSealed) return null;
  const texts = shownTexts(found.leaves);
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const leaf of texts) {
    const part = withFooter(content.subarray(leaf.start, leaf.end), leaf, footer);
    if (!part) return null;
    pieces.push(content.subarray(copied, leaf.start), part);
    copied = leaf.end;
  }
  return texts.length === 0 ? null : Buffer.concat([...pieces, content.subarray(copied)]);
};
