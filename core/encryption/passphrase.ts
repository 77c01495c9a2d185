import { commonPasswords, commonWordPairs } from "./commonPhrases.ts";

/** The strength of a passphrase against guessing. */
export type PassphraseStrength = "too-weak" | "fair" | "strong";

/** Below this entropy a few machines open a stolen backup within days. */
const fairBits = 40;
const strongBits = 60;

/** A word of up to 8 letters counts as one of about 8,000 (13 bits), because most people choose common words. */
const wordBits = 13;
const wordLetters = 8;
const letterBits = Math.log2(26);
const digitBits = Math.log2(10);
/** A year or another four-digit number that people choose. */
const yearBits = 7;
const symbolBits = 4;
const separatorBits = 2;
/** The number of characters that are examined. */
const maxCharacters = 200;
/** The entropy of a part that password crackers try first. */
const guessedBits = 1;

/** Checks whether each character follows or repeats the one before, in one direction; 0 follows 9. */
const isRun = (text: string): boolean => {
  const steps = new Set(
    [...text].slice(1).map((character, n) => {
      const step = character.charCodeAt(0) - text.charCodeAt(n);
      return Math.abs(step) === 9 && /\d/.test(character) ? -Math.sign(step) : step;
    }),
  );
  return text.length > 2 && steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 9);
};

/** Finds the part that a text repeats, or the whole text. */
const repeatedUnit = (text: string): string => /^(.+?)\1+$/su.exec(text)?.[1] ?? text;

const bitsOfWord = (word: string): number => {
  const plain = word.toLowerCase();
  if (commonPasswords.has(plain) || isRun(plain)) return guessedBits;
  const letters = [...word].length;
  const capitals = /^(?:\p{Ll}+|\p{Lu}\p{Ll}*|\p{Lu}+)$/u.test(word) ? 0 : letters / 2;
  const wordEntropy = Math.min(letters * letterBits, wordBits);
  return wordEntropy + Math.max(0, letters - wordLetters) * letterBits + capitals;
};

const bitsOfNumber = (digits: string): number => {
  if (isRun(digits)) return guessedBits;
  return digits.length === 4 ? yearBits : digits.length * digitBits;
};

const bitsOfPiece = (repeated: string): number => {
  const piece = repeatedUnit(repeated);
  if (piece !== repeated) return bitsOfPiece(piece) + guessedBits;
  if (/^\p{L}/u.test(piece)) return bitsOfWord(piece);
  if (/^\d/.test(piece)) return bitsOfNumber(piece);
  if (piece.trim() === "" || isRun(piece)) return separatorBits / 2;
  return piece.length === 1 ? separatorBits : piece.length * symbolBits;
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
    const isCommonPair = isWord && commonWordPairs.has(`${wordBefore} ${plain}`);
    if (isWord) wordBefore = plain;
    if (!isNew) return sum + guessedBits / 2;
    return sum + (isCommonPair ? guessedBits : bitsOfPiece(piece));
  }, 0);
};

const letterBySymbol: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

const wordsInPairs = new Set([...commonWordPairs].flatMap((pair) => pair.split(" ")));

/** Replaces digits and symbols by letters where the result is a common word: "p@ssw0rd" to "password". */
const withLetters = (text: string): string =>
  text.replace(/[\p{L}\d@$]+/gu, (word) => {
    const letters = word
      .toLowerCase()
      .replace(/[^\p{L}]/gu, (character) => letterBySymbol[character] ?? character);
    return commonPasswords.has(letters) || wordsInPairs.has(letters) ? letters : word;
  });

/** Inserts spaces between the words of a saying: "correcthorse" to "correct horse". */
const withSpaces = (text: string): string =>
  [...commonWordPairs].reduce(
    (spaced, pair) => spaced.replaceAll(pair.replace(" ", ""), () => pair),
    text.toLowerCase(),
  );

/**
 * Estimates the entropy of a passphrase in bits, rather too low: words, years and runs count as choices of
 * people, a saying as one word, and repeated parts only once.
 */
export const passphraseBits = (passphrase: string): number => {
  const examined = passphrase.slice(0, maxCharacters);
  return Math.min(...[examined, withLetters(examined), withSpaces(withLetters(examined))].map(bitsAsWritten));
};

export const strengthOf = (passphrase: string): PassphraseStrength => {
  const bits = passphraseBits(passphrase);
  if (bits < fairBits) return "too-weak";
  return bits < strongBits ? "fair" : "strong";
};
