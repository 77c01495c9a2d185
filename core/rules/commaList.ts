/** One entry up to its comma; in double quotes a quote is doubled. */
const entry = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/gy;

/**
 * The entries of text typed with commas between them (RU5), without the white space around them and without empty
 * ones. An entry in double quotes is taken as it stands in them, commas included.
 */
export const splitAtCommas = (text: string): readonly string[] =>
  Array.from(text.matchAll(entry), ([, quoted, plain = ""]) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  ).filter((one) => one.trim() !== "");

const needsQuotes = (one: string): boolean => one.includes(",") || one.startsWith('"') || one !== one.trim();

const inQuotes = (one: string): string => `"${one.replaceAll('"', '""')}"`;

/** The inverse: what somebody would type to mean these entries. */
export const joinWithCommas = (entries: readonly string[]): string =>
  entries.map((one) => (needsQuotes(one) ? inQuotes(one) : one)).join(", ");
