import * as t from "io-ts";
import { filter, merge, type Observable, type Subscription, tap } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import { User } from "../account/user.ts";
import type { Store } from "../storage/store.ts";
import { json, plainText } from "../storage/storedCodecs.ts";
import { type StoredKey, storedKeys } from "../storage/storedKeys.ts";
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

const Owned = json(t.type({ owner: t.string }));

export interface NewAddressNeeds {
  readonly store: Store;
  readonly session: Pick<SessionControl, "state$" | "goOnAs">;
  /** What was asked before is not good enough for what is asked from now on. */
  readonly forgetAnswers: () => void;
}

/** The session goes on under another address, in this tab: what is kept of its user stays theirs. */
export interface NewAddress {
  /** The user has got this address. */
  readonly adopt: (email: string) => void;
  /** Follows a change that was made in another tab, or on another device. */
  readonly follow: (account$: Observable<Account | null>) => Subscription;
}

export const makeNewAddress = ({ store, session, forgetAnswers }: NewAddressNeeds): NewAddress => {
  const email = store.of(storedKeys.userEmail, plainText);
  const user = store.of(storedKeys.userData, json(User));

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
  /** The user last: by it the other tabs follow, and find the rest. */
  const adopt = (address: string): void => {
    const before = signedIn();
    if (before === null || before.email === address) return;
    const renamed = { ...before, email: address };
    handOver(before.email, address);
    email.write(address);
    user.write(renamed);
    goOnAs(renamed);
  };
  return {
    adopt,
    follow: (account$) => {
      const ofAnotherTab$ = user.changes$.pipe(
        tap((renamed) => {
          const before = signedIn();
          const isRename = before !== null && renamed !== null && before.email !== renamed.email;
          if (isRename && email.read() === renamed.email) goOnAs(renamed);
        }),
      );
      const ofAnotherDevice$ = account$.pipe(
        filter((account) => account?.id !== undefined && account.id === signedIn()?.id),
        tap((account) => account && adopt(account.email)),
      );
      return merge(ofAnotherTab$, ofAnotherDevice$).subscribe();
    },
  };
};
