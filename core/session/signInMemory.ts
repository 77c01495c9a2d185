import * as t from "io-ts";
import { Timestamp } from "../api/wireCodecs.ts";
import type { Clock } from "../ports/clock.ts";
import { json, plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { codeLifetimeMs } from "./oneTimeCode.ts";

const PendingCode = t.type({ email: t.string, sentAt: Timestamp });
type PendingCode = t.TypeOf<typeof PendingCode>;

/** What a tab remembers of a sign-in under way, so that a reload returns to its step. It holds no code and no token. */
export interface SignInMemory {
  /** The address that a code was sent to, while the code can be entered; null otherwise. */
  readonly pendingCode: () => PendingCode | null;
  readonly rememberCode: (email: string) => void;
  readonly forgetCode: () => void;
  /** Whether this user is at the key step. */
  readonly isAtKeySetup: (email: string) => boolean;
  readonly rememberKeySetup: (email: string) => void;
  readonly forgetKeySetup: () => void;
}

/** Creates the memory over the storage of the tab. */
export const createSignInMemory = (store: Store, clock: Pick<Clock, "now">): SignInMemory => {
  const code = store.get(storedKeys.pendingCode, json(PendingCode));
  const keySetupOwner = store.get(storedKeys.keySetupOwner, plainText);
  return {
    pendingCode: () => {
      const pending = code.read();
      const age = clock.now() - (pending?.sentAt ?? 0);
      return pending !== null && age >= 0 && age < codeLifetimeMs ? pending : null;
    },
    rememberCode: (email) => void code.write({ email, sentAt: clock.now() }),
    forgetCode: code.remove,
    isAtKeySetup: (email) => keySetupOwner.read() === email,
    rememberKeySetup: (email) => void keySetupOwner.write(email),
    forgetKeySetup: keySetupOwner.remove,
  };
};
