const programWords =
  "(?:iphone|ipad|ios|android|galaxy|samsung|pixel|blackberry|huawei|xiaomi|outlook|mail for windows|yahoo|proton|gmail|thunderbird|k-9|apple mail|web\\.de|gmx)";

/** The whole default signature of a mail program, in the words of common ones. */
const programSignature = [
  `(?:sent|gesendet|envoyé|enviado|inviato)\\b[^\\r\\n<]{0,60}\\b${programWords}\\b[^\\r\\n<]{0,80}`,
  `(?:von mein\\w{1,3}|diese nachricht wurde von)[^\\r\\n<]{0,60}\\b${programWords}\\b[^\\r\\n<]{0,40}gesendet[^\\r\\n<]{0,10}`,
  `(?:get )?outlook (?:for|für|pour|per|para) ${programWords}[^\\r\\n<]{0,60}(?:<[^\\r\\n>]{0,200}>)?`,
].join("|");
const programText = new RegExp(`^(\\s*)(?:${programSignature})$`, "i");
const programLine = new RegExp(`^[ \\t]*(?:${programSignature})(?=\\r?$)`, "gim");

const stripProgramText = (text: string): string =>
  text.length > 300 ? text : text.replace(programText, "$1");

/** Returns the positions of the lines that are the default signature of a program. */
export const findDefaultSignatures = (lines: readonly string[]): ReadonlySet<number> =>
  new Set(
    lines.flatMap((line, n) => (stripProgramText(line.trim()) === "" && line.trim() !== "" ? [n] : [])),
  );

/** Removes from a plain text the lines that name the author's mail program. */
export const stripProgramLines = (text: string): string => text.replaceAll(programLine, "");
