import type { Clock } from "../../ports/clock.ts";
import { plainText, type Store } from "../../storage/store.ts";
import { storedKeys } from "../../storage/storedKeys.ts";
import { codeLifetimeMs } from "../oneTimeCode.ts";

interface PendingCode {
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

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
  const code = store.get(storedKeys.pendingCode, plainText);
  const keySetupOwner = store.get(storedKeys.keySetupOwner, plainText);
  return {
    pendingCode: () => {
      const [, sentAt, email] = /^(\d{1,16}) (.+)$/.exec(code.read() ?? "") ?? [];
      const age = clock.now() - Number(sentAt);
      return email !== undefined && age >= 0 && age < codeLifetimeMs
        ? { email, sentAt: Number(sentAt) }
        : null;
    },
    rememberCode: (email) => void code.write(`${clock.now()} ${email}`),
    forgetCode: code.remove,
    isAtKeySetup: (email) => keySetupOwner.read() === email,
    rememberKeySetup: (email) => void keySetupOwner.write(email),
    forgetKeySetup: keySetupOwner.remove,
  };
};
