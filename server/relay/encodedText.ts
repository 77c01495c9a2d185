import { encodeWord } from "nodemailer/lib/mime-funcs";

const encodedWordLength = 52;
const longestPlain = 900;

/** Text as the value of an unstructured field: as it is where ASCII serves, else encoded words, folded (RFC 2047). */
export const encodedText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes("=?") && text.length <= longestPlain
    ? text
    : encodeWord(text, "B", encodedWordLength).split(" ").join("\r\n ");
