import * as E from "fp-ts/lib/Either.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as t from "io-ts";
import { EMPTY, filter, merge, type Observable, type Subscription, switchMap, tap } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import { User } from "../account/user.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { Store } from "../storage/store.ts";
import { json, plainText } from "../storage/storedCodecs.ts";
import { type StoredKey, storedKeys } from "../storage/storedKeys.ts";
import type { ShowToast } from "../toasts/toast.ts";
import type { SessionControl } from "./session.ts";

/** What is kept in its user's name (D45), and stays theirs under another address. */
const owned: readonly StoredKey[] = [
  storedKeys.pendingRulesSync,
  storedKeys.cachedMasks,
  storedKeys.cachedInsights,
  storedKeys.cachedContentAccess,
  storedKeys.cachedAiPreferences,
  storedKeys.appliedSuggestions,
  storedKeys.dismissedSuggestions,
];

const keysStayed =
  "Your private keys on this device could not be taken along to your new address. Import their backup under Settings.";

const Owned = json(t.type({ owner: t.string }));

export interface NewAddressNeeds {
  readonly store: Store;
  readonly session: Pick<SessionControl, "state$" | "goOnAs">;
  /** What was asked before is not good enough for what is asked from now on. */
  readonly forgetAnswers: () => void;
  readonly keyring: Pick<Keyring, "rename">;
  readonly toast: ShowToast;
}

/** The session goes on under another address, in this tab: what is kept of its user stays theirs. */
export interface NewAddress {
  /** The user has got this address. Done when this tab goes on under it. */
  readonly adopt: (email: string) => Task<void>;
  /** Follows a change that was made in another tab, or on another device. */
  readonly follow: (account$: Observable<Account | null>) => Subscription;
}

export const makeNewAddress = (needs: NewAddressNeeds): NewAddress => {
  const { store, session, forgetAnswers, keyring, toast } = needs;
  const email = store.of(storedKeys.userEmail, plainText);
  const user = store.of(storedKeys.userData, json(User));
  const keyOwner = store.of(storedKeys.keyOwner, plainText);

  const handOver = (from: string, to: string): void => {
    for (const key of owned) {
      const kept = store.of(key, Owned);
      const value = kept.read();
      if (value?.owner === from) kept.write({ ...value, owner: to });
    }
    // It names the old address.
    store.forget([storedKeys.cachedAccount]);
  };
  const signedIn = (): User | null => {
    const { value } = session.state$;
    return value.kind === "signed-in" ? value.user : null;
  };
  const goOnAs = (renamed: User): void => {
    forgetAnswers();
    session.goOnAs(renamed);
  };
  /** Before anybody looks for them under the new address, who would find none. */
  const takeKeysAlong =
    (from: string, to: string): Task<void> =>
    () => {
      if (keyOwner.read() !== from) return Promise.resolve();
      return keyring
        .rename(from, to)()
        .then((renamed) => {
          if (E.isLeft(renamed)) toast("error", keysStayed);
          else keyOwner.write(to);
        });
    };
  /** Somebody else who signs in is not the same user under another address. */
  const isRename = (before: User | null, after: User | null): boolean =>
    before?.id !== undefined && before.id === after?.id && before.email !== after.email;
  /** The user last: by it the other tabs follow, and find the rest. */
  const goOn = (before: User, address: string): void => {
    if (signedIn()?.email !== before.email) return;
    const renamed = { ...before, email: address };
    handOver(before.email, address);
    email.write(address);
    user.write(renamed);
    goOnAs(renamed);
  };
  const adopt =
    (address: string): Task<void> =>
    () => {
      const before = signedIn();
      if (before === null || before.email === address) return Promise.resolve();
      return takeKeysAlong(before.email, address)().then(() => goOn(before, address));
    };
  return {
    adopt,
    follow: (account$) => {
      const ofAnotherTab$ = user.changes$.pipe(
        tap((renamed) => {
          if (renamed === null || !isRename(signedIn(), renamed)) return;
          if (email.read() === renamed.email) goOnAs(renamed);
        }),
      );
      const ofAnotherDevice$ = account$.pipe(
        filter((account) => account?.id !== undefined && account.id === signedIn()?.id),
        switchMap((account) => (account === null ? EMPTY : adopt(account.email)())),
      );
      return merge(ofAnotherTab$, ofAnotherDevice$).subscribe();
    },
  };
};
