import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Keyring } from "../../core/ports/keyring.ts";
import { examinePublicKey, makeKey, protectedCopy, unlockedCopy } from "./armoredKeys.ts";
import { makeHeldKeys } from "./heldKeys.ts";
import type { KeyRecords } from "./keyRecords.ts";
import { openMail } from "./openMail.ts";

type Promised<F> = F extends (...args: infer Args) => TaskEither<unknown, infer A>
  ? (...args: Args) => Promise<A>
  : never;

/** What a keyring can do beside forgetting everything. */
export type KeyTaskName = Exclude<keyof Keyring, "forgetAll">;

/** The same, as promises that reject with `Refused`. */
export type KeyTasks = { readonly [Name in KeyTaskName]: Promised<Keyring[Name]> };

/** What a keyring does, over the place where its records rest. */
export const makeKeyTasks = (records: KeyRecords): KeyTasks => {
  const held = makeHeldKeys(records);
  return {
    list: held.list,
    create: async (owner) => held.keep(owner, await makeKey(), false),
    protect: async (owner, fingerprint, passphrase) =>
      protectedCopy(await held.unlocked(owner, fingerprint), passphrase),
    markBackedUp: held.markBackedUp,
    import: async (owner, armored, passphrase) => {
      const key = await unlockedCopy(armored, passphrase);
      return held.keep(owner, key, true);
    },
    remove: held.remove,
    rename: held.rename,
    examine: examinePublicKey,
    open: (owner, mail) => openMail(mail, () => held.allUnlocked(owner)),
  };
};
