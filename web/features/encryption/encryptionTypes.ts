import type { Encryption } from "../../../core/encryption/encryption.ts";

type State = Encryption["state$"]["value"];

/** The fields of one state of encryption, such as At<"made">. */
export type StateAt<Name extends State["at"]> = Extract<State, { readonly at: Name }>;

/** The dialogs that the encryption card opens. */
export type EncryptionDialogName =
  | "setup"
  | "import"
  | "backup"
  | "replace"
  | "own"
  | "off"
  | "forget"
  | "read";
