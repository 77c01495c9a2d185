// What shows in an answer, a mail, a log line or a metric that it contains something of the bystander: the account that
// every test database has beside those of the test (test/server/support/bystander.ts).

/**
 * Stands in all that the bystander has; in no test and nowhere else in the product. Its zeros put the bystander before
 * all random ids, so that a statement which takes the first row of all users always takes the wrong one.
 */
export const bystanderMarker = "00Bystander";

const pattern = new RegExp(bystanderMarker, "i");
const base64Line = /^[A-Za-z0-9+/]{40,}={0,2}$/;
const excerptLength = 120;

let seen: string[] = [];
let allowedBecause: string | null = null;

const find = (where: string, text: string): boolean => {
  const at = text.search(pattern);
  if (at < 0) return false;
  seen.push(`${where}: …${text.slice(Math.max(0, at - excerptLength), at + excerptLength)}…`);
  return true;
};

/** Looks for the bystander in a text that leaves the server; the test fails at its end when something is found. */
export const refuseBystander = (where: string, text: string): void => {
  find(where, text);
};

/** The same in a mail, also where it is encoded. */
export const refuseBystanderInMail = (where: string, content: Uint8Array): void => {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
  if (find(where, text) || !/^content-transfer-encoding:/im.test(text)) return;
  const lines = text.split("\r\n");
  const coded = lines.filter((line) => base64Line.test(line)).join("");
  if (find(where, Buffer.from(coded, "base64").toString("latin1"))) return;
  find(where, text.replaceAll("=\r\n", ""));
};

/** Lets the bystander be seen until the end of the test: where the operator is shown all accounts, for example. */
export const allowBystander = (because: string): void => {
  allowedBecause = because;
};

let changeable = new Map<string, string>();

/** Lets the tests of a file change the bystander's rows of a table: what is done to those of all users. */
export const allowChangesOfAll = (table: string, because: string): void => {
  changeable.set(table, because);
};

export const mayChange = (table: string): boolean => changeable.has(table);

export const forgetAllowedChanges = (): void => {
  changeable = new Map();
};

/** Returns where the bystander was seen since the last call, unless that was allowed. */
export const takeSightings = (): readonly string[] => {
  const found = allowedBecause === null ? seen : [];
  seen = [];
  allowedBecause = null;
  return found;
};
