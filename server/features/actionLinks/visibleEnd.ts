/** Elements whose contents are text up to their end tag (HTML, 13.2.5). */
const textElements = /^(?:iframe|noembed|noframes|script|style|textarea|title|xmp)$/;
/** Elements that show nothing of what stands in them, or not as it is. */
const unseenElements = /^(?:audio|canvas|frameset|map|math|object|select|svg|template|video)$/;
const emptyElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const unseenStyle = /(?:^|;)\s{0,20}(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}hidden)/i;

const tagStart = /<(\/?)([a-z][^\s/>]*)/iy;
const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(?!["'])([^\s>]*)))?/y;
/** An attribute whose quotes are not closed leaves its value here. */
const openValue = /\s*=/y;
const tagEnd = /[\s/]*>/y;

interface Tag {
  readonly isEnd: boolean;
  readonly name: string;
  /** True if its content is not seen. */
  readonly isUnseen: boolean;
  /** The offset after it. */
  readonly end: number;
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Reads the tag that begins here; null when it is not closed. */
const readTag = (html: string, [start, slash, name = ""]: RegExpExecArray, at: number): Tag | null => {
  const tag = name.toLowerCase();
  let isUnseen = unseenElements.test(tag);
  for (let from = at + start.length; ; ) {
    const close = matchAt(tagEnd, html, from);
    if (close) return { isEnd: slash === "/", name: tag, isUnseen, end: from + close[0].length };
    const found = matchAt(attribute, html, from);
    if (!found) return null;
    from += found[0].length;
    if (matchAt(openValue, html, from)) return null;
    const [, key = "", ...values] = found;
    const value = values.find((one) => one !== undefined) ?? "";
    isUnseen ||= /^hidden$/i.test(key) || (/^style$/i.test(key) && unseenStyle.test(value.slice(0, 4_096)));
  }
};

/** Returns the offset after a comment, or what is read as one; null when it is not closed. */
const endOfComment = (html: string, at: number): number | null => {
  const closing = html.startsWith("<!--", at) && !/^<!---?>/.test(html.slice(at, at + 6)) ? /--!?>/g : />/g;
  closing.lastIndex = at + 2;
  return closing.exec(html) ? closing.lastIndex : null;
};

/** Returns the offset after the text in an element; null when its end tag is missing. */
const endOfText = (html: string, name: string, from: number): number | null => {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? null;
};

const isComment = (html: string, at: number): boolean => /^<(?:[!?]|\/[^a-z])/i.test(html.slice(at, at + 3));

/** The piece that begins with "<"; `end` is null when it goes on to the end of the document. */
interface Piece {
  readonly tag: Tag | null;
  readonly end: number | null;
}

/** Returns where the contents of an element begin that are read as HTML again. */
const endOfContents = (html: string, { name, isEnd, end }: Tag): number | null => {
  if (isEnd) return end;
  if (name === "plaintext") return null;
  return textElements.test(name) ? endOfText(html, name, end) : end;
};

const readPiece = (html: string, at: number): Piece => {
  const start = matchAt(tagStart, html, at);
  if (!start) return { tag: null, end: isComment(html, at) ? endOfComment(html, at) : at + 1 };
  const tag = readTag(html, start, at);
  return { tag, end: tag && endOfContents(html, tag) };
};

/** The outermost element that is open and not shown, and how many of its name are open in it. */
interface Unseen {
  readonly name: string;
  readonly depth: number;
}

const unseenAfter = (before: Unseen | null, { name, isEnd, isUnseen }: Tag): Unseen | null => {
  if (before === null) return isUnseen && !isEnd && !emptyElements.test(name) ? { name, depth: 1 } : null;
  if (name !== before.name) return before;
  const depth = before.depth + (isEnd ? -1 : 1);
  return depth === 0 ? null : { name, depth };
};

const isOutermost = ({ name }: Tag): boolean => name === "body" || name === "html";

/**
 * Returns where text at the end of an HTML document is seen: before the last end tag of its body, else of the document,
 * else at its end. Null where it would stand in a comment, a tag, a style, or an element that is not shown, as a browser
 * reads it; in linear time.
 */
export const visibleEnd = (html: string): number | null => {
  const ends = new Map<string, number | null>();
  let unseen: Unseen | null = null;
  let at: number | null = html.indexOf("<");
  while (at !== null && at !== -1) {
    const { tag, end }: Piece = readPiece(html, at);
    if (tag?.isEnd && isOutermost(tag)) ends.set(tag.name, unseen === null ? at : null);
    unseen = tag ? unseenAfter(unseen, tag) : unseen;
    at = end === null ? null : html.indexOf("<", end);
  }
  const [found] = ["body", "html"].flatMap((name) => (ends.has(name) ? [ends.get(name) ?? null] : []));
  if (found !== undefined) return found;
  return at === null || unseen !== null ? null : html.length;
};
