/** The name of the IndexedDB database of private keys, apart from its code because the page only deletes it. */
export const keyDatabaseName = "bauta-keys";
