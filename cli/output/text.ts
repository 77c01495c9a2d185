import stringWidth from "string-width";

/** Controls of terminals and of writing direction: what strangers write must not move the cursor or hide text. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns text that a terminal shows as it is, in one line. */
export const plain = (text: string): string => text.replace(/\r\n|[\r\n\t]/g, " ").replace(controls, "");

const inJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns a value as one line of JSON that a terminal shows as it is. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    inJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The cells that text takes in a terminal: East Asian letters and emoji take two. */
export const widthOf = (text: string): number => stringWidth(text);

const segmenter = new Intl.Segmenter();

/** Cuts text to a width, with "…" at its end where something is left out. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    if (widthOf(kept + segment) > width - 1) break;
    kept += segment;
  }
  return width < 1 ? "" : `${kept}…`;
};

/** Fills text up to a width with spaces. */
export const fill = (text: string, width: number, isRight = false): string => {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return isRight ? space + text : text + space;
};
