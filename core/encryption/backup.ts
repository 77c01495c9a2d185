import type { FileToKeep } from "../kernel/fileToKeep.ts";
import type { Problem } from "../sentences/problem.ts";
import { fieldProblem } from "./encryptionSentences.ts";
import { strengthOf } from "./passphrase.ts";

/** What somebody chooses to protect a backup with. */
export interface PassphraseDraft {
  readonly passphrase: string;
  /** The same once more: a slip would lock the backup for ever. */
  readonly again: string;
}

/** What is wrong with the passphrase, or null. */
export const passphraseProblem = ({ passphrase, again }: PassphraseDraft): Problem | null => {
  if (passphrase === "") return fieldProblem("passphrase", "Choose a passphrase.");
  if (strengthOf(passphrase) === "too-weak")
    return fieldProblem(
      "passphrase",
      "This is too easy to guess. Use four or more words that do not belong together.",
    );
  if (again !== passphrase)
    return fieldProblem("again", "This is not the same passphrase. Type it once more.");
  return null;
};

/** The last characters of a fingerprint tell keys apart for people. */
const shortOf = (fingerprint: string): string => fingerprint.slice(-8);

export const backupFile = (brand: string, fingerprint: string, armored: string): FileToKeep => ({
  name: `${brand.toLowerCase()}-private-key-${shortOf(fingerprint)}.asc`,
  type: "application/pgp-keys",
  content: armored,
});
