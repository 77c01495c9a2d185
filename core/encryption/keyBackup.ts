import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../api/errorMessages.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import type { DeviceKey, Keyring } from "../ports/keyring.ts";
import { fieldProblem, refusalProblem } from "./encryptionMessages.ts";
import type { UseCase } from "./encryptionStore.ts";
import { strengthOf } from "./passphrase.ts";

export interface PassphraseDraft {
  readonly passphrase: string;
  /** The repeated passphrase: a typing error would make the backup unusable. */
  readonly again: string;
}

const passphraseProblem = ({ passphrase, again }: PassphraseDraft): Problem | null => {
  if (passphrase === "") return fieldProblem("passphrase", "Choose a passphrase.");
  if (strengthOf(passphrase) === "too-weak")
    return fieldProblem("passphrase", "This is too easy to guess. Use four or more unrelated words.");
  if (again !== passphrase)
    return fieldProblem("again", "This is not the same passphrase. Type it once more.");
  return null;
};

/** The last 8 characters, which people use to tell keys apart. */
const shortFingerprint = (fingerprint: string): string => fingerprint.slice(-8);

const backupFile = (brand: string, fingerprint: string, armored: string): DownloadableFile => ({
  name: `${brand.toLowerCase()}-private-key-${shortFingerprint(fingerprint)}.asc`,
  type: "application/pgp-keys",
  content: armored,
});

/** The backup of a private key, a file protected by a passphrase. */
export class KeyBackup {
  readonly #keyring: Pick<Keyring, "protect">;
  readonly #brand: string;
  /** The fingerprint of the last key that was backed up since the page was opened. */
  #backedUp: string | null = null;

  constructor(keyring: Pick<Keyring, "protect">, brand: string) {
    this.#keyring = keyring;
    this.#brand = brand;
  }

  isMadeOf({ fingerprint }: DeviceKey): boolean {
    return this.#backedUp === fingerprint;
  }

  make(email: string, key: DeviceKey | null, draft: PassphraseDraft): UseCase<DownloadableFile> {
    const problem = passphraseProblem(draft);
    if (problem !== null) return TE.left(problem);
    if (key === null) return TE.left(refusalProblem("no-such-key"));
    const { fingerprint } = key;
    return pipe(
      this.#keyring.protect(email, fingerprint, draft.passphrase),
      TE.bimap(refusalProblem, (armored) => {
        this.#backedUp = fingerprint;
        return backupFile(this.#brand, fingerprint, armored);
      }),
    );
  }
}
