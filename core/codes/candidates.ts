import { isSpacedLetter } from "./codeWords.ts";

/** The shape of what may be a code: some need more evidence than others. */
type Shape = "digits" | "short" | "year" | "mixed" | "letters";

/** Something in a line that may be a code. */
export interface Candidate {
  /** As it is typed: digits without blanks, letters as they stand. */
  readonly code: string;
  readonly shape: Shape;
  readonly start: number;
  readonly end: number;
  /** True if its line has nothing else. */
  readonly isAlone: boolean;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokens = /[0-9A-Za-z]+/g;
const separator = /^[ \-‐‑–]$/;
const dash = /^[-‐‑–]$/;
const digits = /^\d+$/;
const groupSizes: ReadonlySet<string> = new Set(["3 3", "4 4", "2 2 2"]);
const maxDigits = 8;
/** The most tokens that are read as one; a longer row of numbers is none. */
const maxRun = 64;
const currencyBefore = /(?:[€$£¥₽₴₩₺₪₫₹฿№#+]|\b(?:eur|usd|gbp|chf|r\$|kr|no\.|nr\.|nº|n°)) ?$/i;
const unitAfter =
  /^ ?(?:[€$£¥₽₴₩₺₪₫₹฿%٪°‰]|(?:eur|usd|gbp|chf|kr|zl|zł|kč|lei|ft|tl|грн|руб|g|kg|km|gb|mb|kb|px|ml|mm|cm|kwh|pts|г|кг|đ)(?![a-zа-яё0-9])|ريال|درهم|جنيه|دينار|บาท|रुपये)/i;
/** What counts or dates, directly behind a number; behind a blank, Hangul that goes on is a word that only begins so. */
const counterAfter =
  /^(?: ?(?:[年月日円元点點人本時时分秒号號枚件篇位名室克层層]|度)|[년월일원명개호분시층]| [년월일원명개호분시층](?:[^가-힣]|[은는이가을를의에도만과와로간]|$))/u;

const isWord = /[0-9A-Za-z]/;

/** A word of one letter before a number in Hebrew: "ב-482913". */
const prefixedNumber = /[א-ת][-־]$/;

/** True if the mark before and the one after make a number part of something else. */
const isBoundBefore = (line: string, start: number, after: string): boolean => {
  const before = line[start - 1] ?? "";
  if (prefixedNumber.test(line.slice(Math.max(0, start - 2), start))) return false;
  if (isSpacedLetter(before) || /[#@/\\=&+%<~-]/.test(before)) return true;
  if (/[.,:٫٬]/.test(before)) return /\d/.test(line[start - 2] ?? "");
  // Codes are printed *bold*, and cards end in ****1234.
  return /[*_]/.test(before) && after !== before;
};

const isBoundAfter = (line: string, end: number, before: string): boolean => {
  const after = line[end] ?? "";
  const beyond = line[end + 1] ?? "";
  if (isSpacedLetter(after) || /[@/\\=&~<]/.test(after)) return true;
  if (/[.,:٫٬]/.test(after)) return /\d/.test(beyond);
  if (dash.test(after)) return isWord.test(beyond);
  return after === "_" && before !== "_";
};

/** True if what stands between two places is part of an address, a decimal, a date, a color or a longer name. */
const isTouched = (line: string, start: number, end: number): boolean =>
  isBoundBefore(line, start, line[end] ?? "") || isBoundAfter(line, end, line[start - 1] ?? "");

const isCounted = (line: string, start: number, end: number): boolean =>
  currencyBefore.test(line.slice(Math.max(0, start - 5), start)) ||
  unitAfter.test(line.slice(end, end + 6)) ||
  counterAfter.test(line.slice(end, end + 3));

const isDate = (code: string): boolean =>
  /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(code) ||
  /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d$/.test(code);

const shapeOfDigits = (code: string): Shape => {
  if (/^(?:19|20)\d\d$/.test(code) || isDate(code)) return "year";
  return code.length < 6 ? "short" : "digits";
};

const isMixed = (text: string): boolean =>
  text.length >= 5 &&
  text.length <= 10 &&
  /\d/.test(text) &&
  (/^[0-9A-Z]+$/.test(text) || (/^[0-9a-z]+$/.test(text) && text.replace(/\D/g, "").length >= 2)) &&
  /[A-Za-z]/.test(text) &&
  !/^\d+(?:st|nd|rd|th|min|px|kb|mb|gb|kg|km|mm|cm|ml|am|pm|h)$/i.test(text) &&
  !/^[A-Za-z]{4,}\d{1,4}$/.test(text);

/** Letters alone are a code only without vowels, so that they are no word. */
const isLetters = (text: string): boolean => /^[BCDFGHJKLMNPQRSTVWXZ]{5,8}$/.test(text);

/** How tokens stand together. */
interface Joining {
  readonly joins: RegExp;
  readonly by: RegExp;
}

const digitGroups: Joining = { joins: digits, by: separator };
const letterGroups: Joining = { joins: /^[0-9A-Z]{3,5}$/, by: dash };

/** Returns the tokens from one on that stand together. */
const runFrom = (
  line: string,
  all: readonly Token[],
  first: number,
  { joins, by }: Joining,
): readonly Token[] => {
  const run: Token[] = [];
  for (let n = first; n < first + maxRun; n += 1) {
    const token = all[n];
    const last = run.at(-1);
    if (!token || !joins.test(token.text) || (last && !by.test(line.slice(last.end, token.start)))) break;
    run.push(token);
  }
  return run;
};

type Found = Omit<Candidate, "isAlone">;

const joined = (run: readonly Token[], by: string): string => run.map(({ text }) => text).join(by);

const isGroupedWell = (sizes: readonly number[]): boolean =>
  sizes.length === 1 ||
  groupSizes.has(sizes.join(" ")) ||
  (sizes.length >= 4 && sizes.every((size) => size === 1));

/** A short number behind a long one is another number: "482913 10 minutes". */
const isFollowedByAnother = (line: string, [first, second, third]: readonly Token[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  third === undefined &&
  first.text.length >= 6 &&
  second.text.length <= 2 &&
  line[first.end] === " ";

/** "G-" in "G-123456", which is not typed; null where there is none. */
const prefixOf = (line: string, before: Token | undefined, first: Token): Token | null =>
  before && /^[A-Z]{1,2}$/.test(before.text) && before.end === first.start - 1 && line[before.end] === "-"
    ? before
    : null;

const ofDigits = (line: string, run: readonly Token[], before: Token | undefined): readonly Found[] => {
  const [first] = run;
  if (!first) return [];
  if (!isGroupedWell(run.map(({ text }) => text.length)))
    return isFollowedByAnother(line, run) ? ofDigits(line, [first], before) : [];
  const code = joined(run, "");
  if (code.length < 4 || code.length > maxDigits) return [];
  const prefix = run.length === 1 && code.length >= 5 ? prefixOf(line, before, first) : null;
  const start = prefix?.start ?? first.start;
  const end = run.at(-1)?.end ?? first.end;
  if (isTouched(line, start, end) || isCounted(line, start, end)) return [];
  return [{ code, shape: shapeOfDigits(code), start, end }];
};

/** The shape of letters and digits that stand together; null where they are no code. */
const shapeOfLetters = (run: readonly Token[]): Shape | null => {
  const code = joined(run, "-");
  if (run.length === 1) {
    if (isMixed(code)) return "mixed";
    return isLetters(code) ? "letters" : null;
  }
  const isEven = run.length <= 3 && run.every(({ text }) => text.length === run[0]?.text.length);
  if (!isEven) return null;
  return /\d/.test(code) ? "mixed" : "letters";
};

const ofLetters = (line: string, run: readonly Token[]): readonly Found[] => {
  const [first] = run;
  const last = run.at(-1);
  const shape = shapeOfLetters(run);
  if (!first || !last || shape === null || isTouched(line, first.start, last.end)) return [];
  return [{ code: joined(run, "-"), shape, start: first.start, end: last.end }];
};

interface Taken {
  readonly found: readonly Found[];
  /** The tokens that were read. */
  readonly count: number;
}

const takeAt = (line: string, all: readonly Token[], n: number, token: Token): Taken => {
  const groups = dash.test(line[token.end] ?? "") ? runFrom(line, all, n, letterGroups) : [];
  const run = digits.test(token.text) ? runFrom(line, all, n, digitGroups) : [];
  if (groups.length > 1 && groups.length > run.length)
    return { found: ofLetters(line, groups), count: groups.length };
  if (run.length > 0) return { found: ofDigits(line, run, all[n - 1]), count: run.length };
  return { found: ofLetters(line, [token]), count: 1 };
};

/** The most tokens of a line that are looked at. */
const maxTokens = 2_000;

const tokensIn = (line: string): readonly Token[] => {
  const all: Token[] = [];
  for (const { 0: text, index } of line.matchAll(tokens)) {
    if (all.length === maxTokens) break;
    all.push({ text, start: index, end: index + text.length });
  }
  return all;
};

const isText = /[\p{L}\p{N}]/u;
const lastText = /[\p{L}\p{N}][^\p{L}\p{N}]*$/u;

/** What every line with a code has; most lines have none of it and need not be read further. */
const mayHaveCode = /(?:\d[ \-‐‑–]?){4}|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{5}|[0-9A-Z]{3}[-‐‑–][0-9A-Z]{3}/;

/** Returns what may be a code in a line, by its shape alone: no part of a date, time, price, phone number, address or color. */
export const candidatesIn = (line: string): readonly Candidate[] => {
  if (!mayHaveCode.test(line)) return [];
  const all = tokensIn(line);
  const found: Found[] = [];
  for (let n = 0; n < all.length; ) {
    const token = all[n];
    const taken = token ? takeAt(line, all, n, token) : { found: [], count: 1 };
    found.push(...taken.found);
    n += taken.count;
  }
  if (found.length === 0) return [];
  const first = line.search(isText);
  const last = line.search(lastText);
  return found.map((one) => ({ ...one, isAlone: one.start <= first && last < one.end }));
};
