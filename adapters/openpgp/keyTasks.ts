import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Keyring, KeyringRefusal } from "../../core/ports/keyring.ts";
import { examinePublicKey, exportPrivateKey, generatePrivateKey, importPrivateKey } from "./armoredKeys.ts";
import type { KeyRecords } from "./keyRecords.ts";
import { openMail } from "./openMail.ts";
import { createPrivateKeyStore } from "./privateKeyStore.ts";

type Promised<F> = F extends (...args: infer Args) => TaskEither<unknown, infer A>
  ? (...args: Args) => Promise<A>
  : never;

/** The tasks of a keyring, except deleting all keys. */
export type KeyTaskName = Exclude<keyof Keyring, "forgetAll">;

/** The tasks as promises that reject with `KeyringError`. */
export type KeyTasks = { readonly [Name in KeyTaskName]: Promised<Keyring[Name]> };

/** Creates the tasks of a keyring over a storage of records. */
export const createKeyTasks = (records: KeyRecords): KeyTasks => {
  const store = createPrivateKeyStore(records);
  return {
    list: store.list,
    create: async (owner) => store.add(owner, await generatePrivateKey(), false),
    protect: async (owner, fingerprint, passphrase) =>
      exportPrivateKey(await store.unlocked(owner, fingerprint), passphrase),
    markBackedUp: store.markBackedUp,
    import: async (owner, armored, passphrase) => {
      const key = await importPrivateKey(armored, passphrase);
      return store.add(owner, key, true);
    },
    remove: store.remove,
    rename: store.rename,
    examine: examinePublicKey,
    open: (owner, mail) => openMail(mail, () => store.allUnlocked(owner)),
  };
};

/** A request of the page to the worker; `id` numbers the requests. */
export interface KeyRequest {
  readonly id: number;
  readonly task: KeyTaskName;
  readonly args: readonly unknown[];
}

/** The worker's response to the request with this `id`. */
export type KeyResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: KeyringRefusal };
