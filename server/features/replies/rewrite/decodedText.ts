/** A text as a reader or a program takes it, with the place of each piece in the source. */
export interface DecodedText {
  readonly text: string;
  /** Returns the range of the source that the characters from `start` to before `end` come from. */
  readonly sourceOf: (start: number, end: number) => readonly [number, number];
  /** True if it may be another text when it is decoded as a source. */
  readonly mayBeSource: boolean;
}

export interface DecodeOptions {
  /** True if tags without an attribute count as nothing, and quoted-printable escapes are decoded too. */
  readonly asSource: boolean;
}

/** Escapes of escapes ("%252540") beyond this number are left. */
const maxPasses = 6;

/** Longer runs are read in pieces: to sort the marks of one takes the square of its length. */
const maxForeign = 1_000;

const hidden = "\\p{Default_Ignorable_Code_Point}\\p{Cf}\\x00-\\x08\\x0e-\\x1f\\x7f";
const always = [
  `(?<hidden>[${hidden}]+)`,
  "(?<ascii>%[0-7][0-9a-f]|\\\\u\\{?00[0-7][0-9a-f]\\}?|\\\\[x'][0-7][0-9a-f])",
  "(?<utf8>(?:%[89a-f][0-9a-f])+)",
  "&(?<entity>#x0*[0-9a-f]{1,6}(?![0-9a-f])|#0*[0-9]{1,7}(?![0-9])|[a-z]{2,16}(?=;));?",
  "(?<blank>\\s[\\s>|]+|\\\\[nr](?:[\\s>|]|\\\\[nr])*)",
  `(?<foreign>[^\\x00-\\x7f${hidden}]{1,${maxForeign}})`,
];
const inSource = [
  "(?<tag><(?:/?[a-z][a-z0-9:-]{0,20}\\s{0,3}/?|!--[^<>]{0,200}--)>)",
  // Only punctuation: "alice=be.example" names the domain be.example.
  "(?<soft>=[ \\t]{0,3}\\r?\\n)",
  "(?<quoted>=(?:2[1-9a-f]|3[a-f]|40|5[bcdef]|60|7[bcde]))",
];
const createPattern = (parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "giu");
const textPattern = createPattern(always);
const onlyInSource = new RegExp(inSource.join("|"), "iu");
const sourcePattern = createPattern([...inSource, ...always]);

/** Entities that stand for characters of addresses, for what surrounds them, or for nothing. */
const namedEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    commat: "@",
    period: ".",
    plus: "+",
    lowbar: "_",
    underbar: "_",
    hyphen: "-",
    dash: "-",
    equals: "=",
    percnt: "%",
    amp: "&",
    apos: "'",
    quot: '"',
    lt: "<",
    gt: ">",
    num: "#",
    excl: "!",
    dollar: "$",
    ast: "*",
    midast: "*",
    sol: "/",
    bsol: "\\",
    quest: "?",
    hat: "^",
    grave: "`",
    lbrace: "{",
    lcub: "{",
    rbrace: "}",
    rcub: "}",
    verbar: "|",
    vert: "|",
    colon: ":",
    semi: ";",
    comma: ",",
    lpar: "(",
    rpar: ")",
    lsqb: "[",
    lbrack: "[",
    rsqb: "]",
    rbrack: "]",
    nbsp: " ",
    tab: " ",
    newline: "\n",
    shy: "",
    zwj: "",
    zwnj: "",
    lrm: "",
    rlm: "",
    nobreak: "",
    zerowidthspace: "",
  }),
);

const entityText = (entity: string): string | undefined => {
  if (!entity.startsWith("#")) return namedEntities.get(entity.toLowerCase());
  const isHex = /^#x/i.test(entity);
  const code = Number.parseInt(entity.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : undefined;
};

const hexByte = (code: string): string =>
  String.fromCharCode(Number.parseInt(/[0-9a-f]{2}(?=\}?$)/i.exec(code)?.[0] ?? "", 16));

/** Compatible forms such as full-width letters become plain ones (NFKD), and the dots of host names one dot (RFC 3490, 3.1). */
export const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u3002\uff61]/g, ".")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010\u2011\u2012]/g, "-");

/** undefined leaves the text as it is. */
const replacementOf = (found: string, groups: Readonly<Record<string, string | undefined>>) => {
  if (groups["foreign"] !== undefined) return foldText(found);
  if (groups["entity"] !== undefined) return entityText(groups["entity"]);
  if (groups["blank"] !== undefined) return " ";
  if (groups["ascii"] !== undefined || groups["quoted"] !== undefined) return hexByte(found);
  if (groups["utf8"] !== undefined) return Buffer.from(found.replaceAll("%", ""), "hex").toString("utf8");
  return "";
};

type SourceOf = DecodedText["sourceOf"];

/** Pieces that were replaced, in order: where they begin and end in the source and in the result. */
class Replaced {
  readonly #sourceStarts: number[] = [];
  readonly #sourceEnds: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add(sourceStart: number, sourceEnd: number, start: number, end: number): void {
    this.#sourceStarts.push(sourceStart);
    this.#sourceEnds.push(sourceEnd);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** Returns the index of the last piece that begins at or before a place; -1 without one. */
  #lastBefore(at: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Returns the range of the source for one character of the result. */
  #characterAt(at: number): readonly [number, number] {
    const n = this.#lastBefore(at);
    const [start = 0, end = 0] = [this.#starts[n], this.#ends[n]];
    const [sourceStart = 0, sourceEnd = 0] = [this.#sourceStarts[n], this.#sourceEnds[n]];
    if (n === -1 || at >= end) return [at - end + sourceEnd, at - end + sourceEnd + 1];
    return sourceEnd - sourceStart === end - start
      ? [sourceStart + at - start, sourceStart + at - start + 1]
      : [sourceStart, sourceEnd];
  }

  sourceOf: SourceOf = (start, end) => [this.#characterAt(start)[0], this.#characterAt(end - 1)[1]];
}

interface Pass extends Pick<DecodedText, "text" | "sourceOf"> {
  /** True if nothing that another pass would decode can have come about: only runs of blanks have become one. */
  readonly isLast: boolean;
}

/** One pass; null when there is nothing to decode. */
const decodeOnce = (text: string, pattern: RegExp): Pass | null => {
  const replaced = new Replaced();
  const pieces: string[] = [];
  let copied = 0;
  let length = 0;
  let isChanged = false;
  let isLast = true;
  const add = (source: string, at: number, decoded: string): void => {
    pieces.push(text.slice(copied, at), decoded);
    length += at - copied;
    replaced.add(at, at + source.length, length, length + decoded.length);
    length += decoded.length;
    copied = at + source.length;
    isChanged = true;
  };
  for (const { 0: found, index, groups = {} } of text.matchAll(pattern)) {
    const decoded = replacementOf(found, groups);
    if (decoded === undefined || decoded === found) continue;
    isLast &&= groups["blank"] !== undefined && !found.startsWith("\\");
    if (groups["foreign"] === undefined || decoded.length === found.length) add(found, index, decoded);
    else {
      let at = index;
      for (const character of found) {
        add(character, at, foldText(character));
        at += character.length;
      }
    }
  }
  pieces.push(text.slice(copied));
  return isChanged ? { text: pieces.join(""), sourceOf: replaced.sourceOf, isLast } : null;
};

/**
 * Decodes what may hide the characters of an address: entities, percent and JSON escapes, also of one another;
 * invisible characters, compatible forms, line breaks with the marks of a quotation; all in lower case and in linear
 * time. With `asSource` also tags and what quoted-printable writes.
 */
export const decodeText = (source: string, { asSource }: DecodeOptions): DecodedText => {
  const pattern = asSource ? sourcePattern : textPattern;
  const passes: SourceOf[] = [];
  let text = source;
  let mayBeSource = onlyInSource.test(text);
  for (let n = 0; n < maxPasses; n += 1) {
    const decoded = decodeOnce(text, pattern);
    if (!decoded) break;
    text = decoded.text;
    passes.unshift(decoded.sourceOf);
    mayBeSource ||= onlyInSource.test(text);
    // Fewer blanks may make a tag.
    if (decoded.isLast && !mayBeSource) break;
  }
  return {
    mayBeSource,
    text: text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    sourceOf: (start, end) =>
      passes.reduce<readonly [number, number]>(([from, to], sourceOf) => sourceOf(from, to), [start, end]),
  };
};
