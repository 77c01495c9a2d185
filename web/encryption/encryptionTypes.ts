import type { App } from "../../core/app/createApp.ts";
import type { PartOf } from "../react/useLatePart.ts";

/** The encryption feature, as it is after loading. */
export type Encryption = PartOf<App["encryption"]>;

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
