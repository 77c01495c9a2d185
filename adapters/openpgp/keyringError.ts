import type { KeyringRefusal } from "../../core/ports/keyring.ts";

/** The error of a keyring task, with the reason for the user. */
export class KeyringError extends Error {
  readonly refusal: KeyringRefusal;

  constructor(refusal: KeyringRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}
