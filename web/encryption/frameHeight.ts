/** In px, as the frame's own stylesheet has them. */
const lineHeight = 23;
const letterWidth = 7.5;
const margins = 32;
/** A picture whose height the mail does not tell. */
const pictureHeight = 240;
/** Headings, paddings and the margins of paragraphs. */
const roomForStyles = 1.4;

const blocks = /<(?:\/?(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|center|table)|br|hr|tr)\b[^>]*>/gi;

const pictures = (body: string): number =>
  [...body.matchAll(/<img\b([^>]*)/gi)].reduce((sum, [, attributes = ""]) => {
    const told = /\sheight="(\d{1,4})/.exec(attributes)?.[1];
    return sum + (told === undefined ? pictureHeight : Number(told));
  }, 0);

const linesOf = (text: string, lettersInLine: number): number => {
  const plain = text.replace(/<[^>]*>/g, "").replace(/&[#\w]+;/g, "x");
  return plain
    .split("\n")
    .filter((line) => line.trim() !== "")
    .reduce((sum, line) => sum + Math.ceil(line.length / lettersInLine), 0);
};

/**
 * About how high a mail will be at a width, in px: its frame tells nobody, being sealed off. Rather too much than too
 * little, and what is still too little can be scrolled.
 */
export const frameHeight = (body: string, hasStyles: boolean, width: number): number => {
  const lettersInLine = Math.max(20, (width - margins) / letterWidth);
  const pieces = body.split(blocks);
  const lines = pieces.reduce((sum, piece) => sum + linesOf(piece, lettersInLine), 0);
  const paragraphs = (body.match(/<(?:p|h[1-6]|ul|ol|blockquote|pre)\b/gi) ?? []).length;
  const text = (lines + paragraphs + 1) * lineHeight;
  return Math.ceil(text * (hasStyles ? roomForStyles : 1) + pictures(body) + margins);
};
