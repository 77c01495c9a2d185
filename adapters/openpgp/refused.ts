import type { KeyringRefusal } from "../../core/ports/keyring.ts";

/** Why a task of the keyring ended without a result. */
export class Refused extends Error {
  readonly refusal: KeyringRefusal;

  constructor(refusal: KeyringRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}
