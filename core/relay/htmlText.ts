const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    copy: "©",
    reg: "®",
    trade: "™",
    euro: "€",
    pound: "£",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    laquo: "«",
    raquo: "»",
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    szlig: "ß",
    eacute: "é",
    egrave: "è",
    ecirc: "ê",
    agrave: "à",
    acirc: "â",
    ccedil: "ç",
    ntilde: "ñ",
    shy: "",
    zwnj: "",
  }),
);

const numbered = (digits: string): string | undefined => {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return code === 0xa0 ? " " : String.fromCodePoint(code);
};

const withoutEntities = (text: string): string =>
  text.replace(
    /&(?:#(x[0-9a-f]{1,6}|\d{1,7})|([a-z]{2,8}));/gi,
    (whole: string, digits: string | undefined, name: string | undefined) =>
      (digits === undefined ? named.get(name ?? "") : numbered(digits)) ?? whole,
  );

/** What stands in these is not read by anybody. */
const unread = /^(?:script|style|title|template)$/;
/** These begin a line of their own. */
const breaking =
  /^(?:address|article|blockquote|br|dd|div|dl|dt|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|td|th|tr|ul)$/;

const tagName = /^\/?([a-z][a-z0-9]*)/i;

/** Where the element that has just begun ends, tag included; the end of the text when it has none. */
const endOf = (name: string, html: string, from: number): number => {
  const closing = new RegExp(`</${name}[^>]*>?`, "gi");
  closing.lastIndex = from;
  return closing.exec(html) === null ? html.length : closing.lastIndex;
};

/** The first character behind a comment that begins at `from`. */
const endOfComment = (html: string, from: number): number => {
  const end = html.indexOf("-->", from);
  return end === -1 ? html.length : end + 3;
};

interface Skipped {
  /** What stands in the text in the place of the markup. */
  readonly text: string;
  /** The first character behind it. */
  readonly at: number;
}

const lineBreak = "\u0085";

/** The markup between the "<" at `open` and the ">" at `close`, and what belongs to it. */
const skipped = (html: string, open: number, close: number): Skipped => {
  if (html.startsWith("<!--", open)) return { text: "", at: endOfComment(html, open + 4) };
  const name = tagName.exec(html.slice(open + 1, open + 20))?.[1]?.toLowerCase();
  if (name === undefined && !/[!?/]/.test(html[open + 1] ?? "")) return { text: "<", at: open + 1 };
  if (html[open + 1] !== "/" && unread.test(name ?? ""))
    return { text: "", at: endOf(name ?? "", html, close + 1) };
  return { text: breaking.test(name ?? "") ? lineBreak : "", at: close + 1 };
};

const joined = (pieces: readonly string[]): string =>
  withoutEntities(pieces.join("").replace(/[ \t\r\n\f]+/g, " "))
    .replace(/ ?\u0085[ \u0085]*/g, "\n")
    .trim();

/**
 * What a person reads of an HTML document, at most `atMost` characters: no tags, comments, scripts and styles; white
 * space as a browser joins it, a line for each block. Linear in the document's length, whatever it contains.
 */
export const textOfHtml = (html: string, atMost: number): string => {
  const pieces: string[] = [];
  let length = 0;
  let at = 0;
  let close = 0;
  while (at < html.length && length < atMost) {
    const open = html.indexOf("<", at);
    if (close !== -1 && close <= open) close = html.indexOf(">", open);
    const isMarkup = open !== -1 && (close !== -1 || html.startsWith("<!--", open));
    const next = isMarkup ? skipped(html, open, close) : { text: "", at: html.length };
    const read = html.slice(at, isMarkup ? open : html.length) + next.text;
    pieces.push(read);
    length += read.length;
    at = next.at;
  }
  return joined(pieces).slice(0, atMost);
};
