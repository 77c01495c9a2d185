import { commonPasswords, knownPairs } from "./knownPhrases.ts";

/** How hard a passphrase is to guess. */
export type PassphraseStrength = "too-weak" | "fair" | "strong";

/** Below this many bits a stolen backup is opened by a few machines within days. */
const fairBits = 40;
const strongBits = 60;

/** A word of up to eight letters is one of some eight thousand, whatever it is: most people take words. */
const wordBits = 13;
const wordLetters = 8;
const letterBits = Math.log2(26);
const digitBits = Math.log2(10);
/** A year, or another number of four digits that people choose. */
const yearBits = 7;
const signBits = 4;
const separatorBits = 2;
/** Characters: beyond this nothing gets harder. */
const longestLooked = 200;
/** What somebody who guesses tries first costs next to nothing. */
const guessedBits = 1;

/** Whether each sign follows the one before it, in either direction, or repeats it; after 9 comes 0. */
const isRun = (text: string): boolean => {
  const steps = new Set(
    [...text].slice(1).map((sign, n) => {
      const step = sign.charCodeAt(0) - text.charCodeAt(n);
      return Math.abs(step) === 9 && /\d/.test(sign) ? -Math.sign(step) : step;
    }),
  );
  return text.length > 2 && steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 9);
};

/** The part that a text repeats, or the whole of it. */
const unitOf = (text: string): string => /^(.+?)\1+$/su.exec(text)?.[1] ?? text;

const bitsOfWord = (word: string): number => {
  const plain = word.toLowerCase();
  if (commonPasswords.has(plain) || isRun(plain)) return guessedBits;
  const letters = [...word].length;
  const capitals = /^(?:\p{Ll}+|\p{Lu}\p{Ll}*|\p{Lu}+)$/u.test(word) ? 0 : letters / 2;
  const known = Math.min(letters * letterBits, wordBits);
  return known + Math.max(0, letters - wordLetters) * letterBits + capitals;
};

const bitsOfNumber = (digits: string): number => {
  if (isRun(digits)) return guessedBits;
  return digits.length === 4 ? yearBits : digits.length * digitBits;
};

const bitsOfPiece = (repeated: string): number => {
  const piece = unitOf(repeated);
  if (piece !== repeated) return bitsOfPiece(piece) + guessedBits;
  if (/^\p{L}/u.test(piece)) return bitsOfWord(piece);
  if (/^\d/.test(piece)) return bitsOfNumber(piece);
  if (piece.trim() === "" || isRun(piece)) return separatorBits / 2;
  return piece.length === 1 ? separatorBits : piece.length * signBits;
};

const bitsAsWritten = (passphrase: string): number => {
  const pieces = passphrase.match(/\p{L}+|\d+|[^\p{L}\d]+/gu) ?? [];
  const seen = new Set<string>();
  let wordBefore = "";
  return pieces.reduce((sum, piece) => {
    const plain = piece.toLowerCase();
    const isNew = !seen.has(plain);
    seen.add(plain);
    const isWord = /^\p{L}/u.test(piece);
    const isKnown = isWord && knownPairs.has(`${wordBefore} ${plain}`);
    if (isWord) wordBefore = plain;
    if (!isNew) return sum + guessedBits / 2;
    return sum + (isKnown ? guessedBits : bitsOfPiece(piece));
  }, 0);
};

const letterFor: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

const inAPair = new Set([...knownPairs].flatMap((pair) => pair.split(" ")));

/** "p@ssw0rd" as "password", where that is a word that is guessed first. */
const withLetters = (text: string): string =>
  text.replace(/[\p{L}\d@$]+/gu, (word) => {
    const letters = word.toLowerCase().replace(/[^\p{L}]/gu, (sign) => letterFor[sign] ?? sign);
    return commonPasswords.has(letters) || inAPair.has(letters) ? letters : word;
  });

/** "correcthorse" as "correct horse". */
const withSpaces = (text: string): string =>
  [...knownPairs].reduce(
    (spaced, pair) => spaced.replaceAll(pair.replace(" ", ""), pair),
    text.toLowerCase(),
  );

/**
 * How many bits somebody who guesses has to try, estimated low: words, years and runs count as what people choose,
 * sayings as one word, and nothing counts twice. Only chance makes a passphrase strong, and that cannot be seen.
 */
export const passphraseBits = (passphrase: string): number => {
  const looked = passphrase.slice(0, longestLooked);
  return Math.min(...[looked, withLetters(looked), withSpaces(withLetters(looked))].map(bitsAsWritten));
};

export const strengthOf = (passphrase: string): PassphraseStrength => {
  const bits = passphraseBits(passphrase);
  if (bits < fairBits) return "too-weak";
  return bits < strongBits ? "fair" : "strong";
};
