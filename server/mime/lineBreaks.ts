/** Writes every line break of a text as CRLF; CR CR LF, as written by careless programs, is one. */
export const withCrlf = (text: string): string => text.replaceAll(/\r{0,3}\n|\r/g, "\r\n");
