/** Reads an address as browsers do: without blanks around it, and without tabs and line breaks (URL, 4.4). */
export const normalizeAddress = (address: string): string =>
  address.replaceAll(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$|[\t\r\n]+/g, "");

const scheme = /^[a-z][-+.\da-z]*:/i;

/** True if an address leads out of the mail; `hasBase` tells that relative ones do. */
export const isRemoteAddress = (written: string, hasBase: boolean): boolean => {
  const address = normalizeAddress(written);
  if (scheme.test(address)) return /^(?:https?|ftp|wss?):/i.test(address);
  return /^[/\\]{2}/.test(address) || (hasBase && address !== "" && !address.startsWith("#"));
};

/** True if what an address leads to can load more from outside: also that of a document in the address itself. */
export const isRemoteDocument = (written: string, hasBase: boolean): boolean =>
  isRemoteAddress(written, hasBase) || /^(?:data|blob|filesystem):/i.test(normalizeAddress(written));

/** The addresses of a set of pictures (HTML, 4.8.4.3). */
export const candidateAddresses = (set: string): readonly string[] =>
  [...set.matchAll(/[^\s,]\S*/g)].map(([address]) => address.replace(/(?<!,),+$/, ""));
