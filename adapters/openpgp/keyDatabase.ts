/** The database of private keys in this browser. */
export const keyDatabase = "bauta-keys";
