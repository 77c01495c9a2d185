const manyMarks = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;

/**
 * Returns a text with at most 8 marks on a letter, more than any language writes: normalizing sorts them, which takes the square
 * of their number.
 */
export const withFewMarks = (text: string): string => text.replace(manyMarks, "$1");
