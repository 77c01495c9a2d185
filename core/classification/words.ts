const mostWords = 40;
/** A word's beginning stands for all its forms: told from the examples held back, 5 letters serve better than whole words. */
const longestWord = 5;

/** A figure says little by itself; that there is one of its length says more. */
const shape = (word: string): string => (/^\p{Nd}+$/u.test(word) ? `#${Math.min(word.length, 6)}` : word);

/**
 * The words of a subject as they are counted: in lower case and without accents, figures by their length, "%" and the
 * money signs as words; the first 40.
 */
export const wordsOf = (subject: string): readonly string[] =>
  (
    subject
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{Nd}]+|[%€$£!?[\]]/gu) ?? []
  )
    .slice(0, mostWords)
    .map((word) => shape(word).slice(0, longestWord));
