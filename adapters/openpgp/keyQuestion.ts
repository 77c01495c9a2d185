import type { KeyringRefusal } from "../../core/ports/keyring.ts";
import type { KeyTaskName } from "./keyTasks.ts";

/** What the page asks of the worker, by a number of its own. */
export interface KeyQuestion {
  readonly id: number;
  readonly task: KeyTaskName;
  readonly args: readonly unknown[];
}

/** The worker's answer to the question of that number. */
export type KeyAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: KeyringRefusal };
