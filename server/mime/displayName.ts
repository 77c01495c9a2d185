/** In characters as a reader counts them (UAX 29). */
const maxNameLength = 70;

/** UTF-16 units of a name, so that one character with a thousand marks does not fill it. */
const maxNameUnits = 4 * maxNameLength;

/** UTF-16 units that are looked at; no part of what follows is shown. */
export const maxReadUnits = 500;

/** Line breaks, other control characters, and blanks that are not white space. */
const blank = /[\p{Cc}\u2028\u2029\u2800]+/gu;

/**
 * The characters without a shape of their own: they hide letters from a search and show a reader nothing, or turn text around.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}\ufff9-\ufffb]/gu;

/**
 * The invisible characters that belong to the spelling: joiners after letters and signs of the scripts that have them, the
 * variants of ideographs and Mongolian letters, and the parts of one emoji.
 */
const spelling = [
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mymr}\p{scx=Khmr}]\p{M}*)[\u200c\u200d](?=[\p{L}\p{M}])/u,
  /(?<=\p{Emoji}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u,
  /(?<=\p{Extended_Pictographic})\ufe0f/u,
  /(?<=[\d#*])\ufe0f(?=\u20e3)/u,
  /(?<=\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]*)[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}\u{e007f}]/u,
  /(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/u,
  /(?<=\p{Script=Mongolian})[\u180b-\u180d]/u,
];
const spelled = new RegExp(spelling.map(({ source }) => source).join("|"), "gu");

const removeInvisible = (text: string): string => {
  const kept = new Set(Array.from(text.matchAll(spelled), ({ index }) => index));
  return text.replace(invisible, (character, index: number) => (kept.has(index) ? character : ""));
};

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Returns the text on one line and without characters that only programs see; other characters stay. */
export const toVisibleLine = (text: string): string => {
  const line = text.slice(0, maxReadUnits).normalize("NFC").replace(blank, " ");
  return (isAscii(line) ? line : removeInvisible(line)).replace(/\s+/g, " ").trim();
};

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Shortens a line to 70 characters as a reader counts them, with "…" at the end of what is shortened. */
export const shortenName = (line: string): string => {
  if (line.length <= maxNameLength) return line;
  let shown = "";
  let count = 0;
  let lastEnd = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    const end = index + segment.length;
    if (count === maxNameLength || end > maxNameUnits) return `${line.slice(0, lastEnd).trimEnd()}…`;
    shown = line.slice(0, end);
    count += 1;
    if (count < maxNameLength) lastEnd = end;
  }
  return shown;
};
