import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { skipWithout } from "../../support/missing.ts";

/** The folder of the corpora, which may be missing. */
export const corporaFolder = resolve(
  process.env["CORPORA_DIR"] ?? join(import.meta.dirname, "../../../../shared/corpora"),
);

/** Skips a suite where the corpora are missing; CORPORA_DIR names their folder. */
export const needsCorpora = function (this: Mocha.Context): void {
  if (existsSync(corporaFolder)) return;
  skipWithout(this, "the corpora (CORPORA_DIR)");
};

const readCorpus = (path: string): Buffer => readFileSync(join(corporaFolder, path));

export const readJsonCorpus = <A>(path: string): A => JSON.parse(readCorpus(path).toString("utf8")) as A;

/** Returns the files of a corpus folder whose names end in `ending`. */
export const filesOf = (
  path: string,
  ending: string,
): readonly { readonly name: string; readonly content: Buffer }[] =>
  readdirSync(join(corporaFolder, path))
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, content: readCorpus(join(path, name)) }));

/** Corpora of unusual mails, and the file extension of each. */
export const oddMailCorpora: readonly (readonly [folder: string, ending: string])[] = [
  ["mime/cpython", ".txt"],
  ["mime/enmime", ".raw"],
  ["mime/mime4j-testmsgs", ".msg"],
  ["mime/postal-mime", ".eml"],
  ["mime/ruby-mail", ".eml"],
  ["mime/stalwart-rfc", ".eml"],
];

/** Odd mails whose From names several addresses, or one with comments inside. */
export const unclearAuthors: ReadonlySet<string> = new Set([
  "malformed-multiple-address-header-values.raw",
  "qp-utf8-header-no-break.raw",
  "qp-utf8-header-recursed.raw",
  "qp-utf8-header.raw",
  "example10.eml",
  "raw_email_multiple_from.eml",
  "raw_email_with_at_display_name.eml",
]);

/** Ends all lines with CRLF, the last one included, as a mail program sends them. */
export const asSent = (file: Buffer): Buffer => {
  const lines = file.toString("latin1").replace(/\r?\n/g, "\r\n");
  return Buffer.from(lines === "" || lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1");
};
