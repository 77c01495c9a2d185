import type { Candidate } from "./candidates.ts";
import { type CodeWord, findCodeWords, foldText } from "./codeWords.ts";

/** How much a word says that the number beside it is a code; 0 for a word of another number. */
interface WeighedWord extends CodeWord {
  readonly weight: number;
}

/** A line with its words, each with its weight. */
interface Line {
  readonly text: string;
  readonly words: readonly WeighedWord[];
}

/** What the whole mail says. */
interface MailSigns {
  readonly hasIntent: boolean;
  readonly isBooking: boolean;
  /** True if nothing is said of other numbers. */
  readonly isPlain: boolean;
}

/** A dot beside a digit may be one of a date or of "No. 5". */
const sentenceEnd = /(?<!\d)[.!?;](?= (?!\d)|$)|[。।؟]/g;
const sentencesBetween = (text: string): number => (text.match(sentenceEnd) ?? []).length;

const confirming = [
  "confirm",
  "bestatig",
  "bevestig",
  "potwierdz",
  "bekraft",
  "bekræft",
  "bekreft",
  "vahvist",
  "potvrz",
  "megerosit",
  "onay",
  "επιβεβαι",
  "подтвер",
  "підтвер",
  "確認",
  "确认",
  "확인",
  "تاكيد",
  "אישור",
  "ยืนยัน",
  "पुष्टि",
  "xac nhan",
];

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The most characters between two things of a sentence. */
const maxSentence = 200;

const isInSentence = (text: string, one: Place, other: Place): boolean => {
  const [from, to] = one.end <= other.start ? [one.end, other.start] : [other.end, one.start];
  return to - from <= maxSentence && sentencesBetween(text.slice(from, to)) === 0;
};

/** The words before and behind a noun that can be in its sentence. */
const wordsBeside = 6;
/** The most characters between a noun and the word that says what it is for: "code de vérification", "Bestätigungs-Code". */
const maxPhraseGap = 14;

const isPhrase = (gap: string): boolean => gap.length <= maxPhraseGap && !/[.,;:!?()|\d。]/.test(gap);

/** Words that are nothing but a color or a fitness for something unless they are written in capitals. */
const isAbbreviation = (text: string, { start, end }: CodeWord): boolean =>
  text.slice(start, end).toLowerCase() !== "tan" || text.slice(start, end) === "TAN";

/** Returns the weight of a noun by the words beside it. */
const weighNoun = (folded: string, words: readonly CodeWord[], n: number, signs: MailSigns): number => {
  const noun = words[n];
  if (!noun) return 0;
  const before = words[n - 1];
  const after = words[n + 1];
  const beside = [
    before && isPhrase(folded.slice(before.end, noun.start)) ? before : undefined,
    after && isPhrase(folded.slice(noun.end, after.start)) ? after : undefined,
  ].filter((word) => word !== undefined);
  const isSure = ({ kind, start }: CodeWord): boolean =>
    kind === "intent" && !(signs.isBooking && confirming.some((word) => folded.startsWith(word, start)));
  if (beside.some(({ kind }) => kind === "promo" || kind === "booking")) return 0;
  if (beside.some(isSure)) return 3;
  if (beside.some(({ kind }) => kind === "other")) return 0;
  if (signs.isBooking) return 0;
  const near = words.slice(Math.max(0, n - wordsBeside), n + wordsBeside + 1);
  if (near.some((word) => word.kind === "intent" && isInSentence(folded, word, noun))) return 2;
  if (signs.hasIntent) return 1.5;
  return signs.isPlain ? 1.6 : 0;
};

interface ReadLine {
  readonly text: string;
  readonly folded: string;
  readonly words: readonly CodeWord[];
}

const weigh = ({ text, folded, words }: ReadLine, signs: MailSigns): Line => {
  return {
    text,
    words: words.map((word, n) => {
      if (word.kind === "strong") return { ...word, weight: 3 };
      return { ...word, weight: word.kind === "noun" ? weighNoun(folded, words, n, signs) : 0 };
    }),
  };
};

/** A word that says what a number is, and how far it is from it. */
interface Related {
  readonly weight: number;
  readonly distance: number;
}

const sentenceGap = 40;
const maxDistance = 110;
/** A word of another number says nothing of one that is further from it. */
const maxOtherDistance = 26;

const names = ({ kind, weight }: WeighedWord): boolean =>
  kind === "other" || kind === "promo" || kind === "booking" || kind === "noun" || weight > 0;

/** Returns how far a word is from a number; undefined where it says nothing of it. */
const distanceOf = (text: string, word: WeighedWord, { start, end }: Candidate): number | undefined => {
  const isLeft = word.end <= start;
  const [from, to] = isLeft ? [word.end, start] : [end, word.start];
  // "1200 codes" counts codes.
  if (to - from > maxDistance || (!isLeft && to - from < 2 && word.weight < 2)) return undefined;
  const distance = to - from + sentencesBetween(text.slice(from, to)) * sentenceGap + (isLeft ? 0 : 6);
  const most = word.weight === 0 && word.kind !== "noun" ? maxOtherDistance : maxDistance;
  return distance < most ? distance : undefined;
};

/** Returns the nearest word that says what the number in its line is. */
const relatedInLine = ({ text, words }: Line, candidate: Candidate): Related | null => {
  let nearest: Related | null = null;
  for (const word of words.filter(names)) {
    const distance = distanceOf(text, word, candidate);
    if (distance !== undefined && distance < (nearest?.distance ?? maxDistance))
      nearest = { weight: word.weight, distance };
  }
  return nearest;
};

/** True if words of a log-in stand in the sentence of a number. */
const isInIntentSentence = ({ text, words }: Line, { start, end }: Candidate): boolean =>
  words.some((word) => word.kind === "intent" && isInSentence(text, word, { start, end }));

/** Lines above a number that stands alone; the one below counts too. */
const linesAbove = 3;
const lineGap = 15;

const relatedAround = (lines: ReadonlyMap<number, Line>, n: number): Related | null => {
  for (let up = 1; up <= linesAbove; up += 1) {
    const word = lines.get(n - up)?.words.findLast(names);
    if (word) return { weight: word.weight, distance: up * lineGap };
  }
  const below = lines.get(n + 1)?.words.find(names);
  return below ? { weight: below.weight, distance: 2 * lineGap } : null;
};

const neededScore: Readonly<Record<Candidate["shape"], number>> = {
  digits: 1.2,
  short: 1.5,
  year: 2.6,
  mixed: 1.9,
  letters: 2.3,
};

/** Returns the nearest word that says what a number is: in its line, or around it where it stands alone. */
const relatedTo = (
  lines: ReadonlyMap<number, Line>,
  n: number,
  line: Line,
  candidate: Candidate,
): Related | null => relatedInLine(line, candidate) ?? (candidate.isAlone ? relatedAround(lines, n) : null);

/** How much the lines around a candidate say that it is a code; 0 where they do not. */
export const scoreOf = ({ lines, weight }: Evidence, n: number, candidate: Candidate): number => {
  const line = lines.get(n);
  if (!line) return 0;
  const { isAlone, shape } = candidate;
  const related = relatedTo(lines, n, line, candidate);
  // A year belongs to a date unless it stands right behind the word.
  if (shape === "year" && !isAlone && (related?.distance ?? maxDistance) > 6) return 0;
  if (related?.weight === 0) return 0;
  const isSureMail = weight >= 3;
  if (isAlone && !related) return isSureMail ? 2 : 0;
  const bySentence = weight >= 2 && isInIntentSentence(line, candidate) ? 1.9 : 0;
  if (!related) return bySentence;
  const ofWord = isSureMail ? Math.max(related.weight, 2) : related.weight;
  return Math.max(bySentence, ofWord - related.distance / 100 + (isAlone ? 0.5 : 0));
};

/** True if a score is enough for a shape. */
export const isEnough = (score: number, { shape }: Candidate): boolean => score >= neededScore[shape];

/** The lines of a mail that say something of its candidates. */
export interface Evidence {
  readonly lines: ReadonlyMap<number, Line>;
  /** The greatest weight of a word of the mail. */
  readonly weight: number;
}

/** Weighs the words of lines, by their numbers. */
export const readEvidence = (texts: ReadonlyMap<number, string>): Evidence => {
  const read = [...texts].map(([n, text]) => {
    const folded = foldText(text);
    return { n, text, folded, words: findCodeWords(folded).filter((word) => isAbbreviation(text, word)) };
  });
  const kinds = new Set(read.flatMap(({ words }) => words.map(({ kind }) => kind)));
  const signs = {
    hasIntent: kinds.has("intent"),
    isBooking: kinds.has("booking"),
    isPlain: !(kinds.has("other") || kinds.has("promo") || kinds.has("booking")),
  };
  const lines = new Map(read.map((line) => [line.n, weigh(line, signs)]));
  let weight = 0;
  for (const { words } of lines.values()) for (const word of words) weight = Math.max(weight, word.weight);
  return { lines, weight };
};
