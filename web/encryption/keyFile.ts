/** What files of keys are called. */
export const keyFiles = ".asc,.gpg,.pgp,.key,.txt,application/pgp-keys,text/plain";

/** Characters: more than any key that the server takes. */
const longestKey = 200_000;

/** The text of a file that should hold a key, as much of it as can matter. */
export const readKeyFile = (file: File): Promise<string> => file.slice(0, longestKey).text();
