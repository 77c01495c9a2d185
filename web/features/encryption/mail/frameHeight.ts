/** Pixels, as in the base styles of the frame. */
const lineHeight = 23;
const characterWidth = 7.5;
const margins = 32;
/** Pixels for a picture without a height attribute. */
const pictureHeight = 240;
/** Factor for a mail with its own styles: headings, padding and paragraph margins take more room. */
const styledFactor = 1.4;

const blockTags = /<(?:\/?(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|center|table)|br|hr|tr)\b[^>]*>/gi;

const sumPictureHeights = (body: string): number =>
  [...body.matchAll(/<img\b([^>]*)/gi)].reduce((sum, [, attributes = ""]) => {
    const declaredHeight = /\sheight="(\d{1,4})/.exec(attributes)?.[1];
    return sum + (declaredHeight === undefined ? pictureHeight : Number(declaredHeight));
  }, 0);

const countLines = (text: string, charactersPerLine: number): number => {
  const plain = text.replace(/<[^>]*>/g, "").replace(/&[#\w]+;/g, "x");
  return plain
    .split("\n")
    .filter((line) => line.trim() !== "")
    .reduce((sum, line) => sum + Math.ceil(line.length / charactersPerLine), 0);
};

/**
 * Estimates the height of a mail in px at a width in px, because a sandboxed frame cannot report it. The estimate
 * is rather too high than too low; the frame scrolls when it is too low.
 */
export const estimateFrameHeight = (body: string, hasStyles: boolean, width: number): number => {
  const charactersPerLine = Math.max(20, (width - margins) / characterWidth);
  const pieces = body.split(blockTags);
  const lines = pieces.reduce((sum, piece) => sum + countLines(piece, charactersPerLine), 0);
  const paragraphs = (body.match(/<(?:p|h[1-6]|ul|ol|blockquote|pre)\b/gi) ?? []).length;
  const text = (lines + paragraphs + 1) * lineHeight;
  return Math.ceil(text * (hasStyles ? styledFactor : 1) + sumPictureHeights(body) + margins);
};
