/**
 * Made when something is reported: parsing the Unicode classes delays the start of the page. Each run of characters is
 * tried from its beginning only, so that the search is linear.
 */
const createSecrets = (): readonly (readonly [RegExp, string])[] => [
  [
    /(?<![\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-])[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+@(?:[\p{L}\p{N}._-]+|\[[\da-z:.]+\])/giu,
    "[address]",
  ],
  [/(?<![\w-])[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}\b/g, "[token]"],
  [/\b[0-9a-f]{24,}\b/gi, "[token]"],
  [/\b\d{6}\b/g, "[code]"],
];

/** Replaces addresses, tokens and codes, so that the text may be reported to the operator. */
export const scrubText = (text: string): string =>
  createSecrets().reduce((scrubbed, [secret, name]) => scrubbed.replace(secret, () => name), text);
