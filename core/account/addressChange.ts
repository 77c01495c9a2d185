import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as t from "io-ts";
import { defer, EMPTY, filter, merge, type Observable, type Subscription, switchMap, tap } from "rxjs";
import { deferTask, mapResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Keyring } from "../ports/keyring.ts";
import type { SessionControl } from "../session/session.ts";
import { type Account, User } from "../session/user.ts";
import { json, plainText, type Store } from "../storage/store.ts";
import { type StoredKey, storedKeys } from "../storage/storedKeys.ts";

/** The stored values that name their owner and stay valid under the owner's new address. */
const ownedKeys: readonly StoredKey[] = [
  storedKeys.pendingRulesSync,
  storedKeys.cachedMasks,
  storedKeys.cachedInsights,
  storedKeys.cachedLog,
  storedKeys.cachedContentAccess,
  storedKeys.cachedAiPreferences,
  storedKeys.appliedSuggestions,
  storedKeys.dismissedSuggestions,
];

const keysNotMovedMessage =
  "The private keys on this device do not fit your new address. Import their backup in Settings.";

const done: Task<void> = () => Promise.resolve();

const OwnedValue = json(t.type({ owner: t.string }));

export interface AddressChangeDeps {
  readonly store: Store;
  readonly session: Pick<SessionControl, "state$" | "continueAs">;
  /** Stops sharing pending requests, because they belong to the old address. */
  readonly forgetPendingGets: () => void;
  readonly keyring: Pick<Keyring, "rename">;
  readonly toast: ShowToast;
}

/** Continues the session after the account's address has changed: stored values and private keys move along. */
export interface AddressChange {
  /** Switches this tab to the user's new address; completes when that is done. */
  readonly adopt: (email: string) => Task<void>;
  /** Follows a change of the address in another tab or on another device. */
  readonly followRemoteChanges: (account$: Observable<Account | null>) => Subscription;
}

/** Creates the change of the address; nothing is subscribed before `followRemoteChanges`. */
export const createAddressChange = (deps: AddressChangeDeps): AddressChange => {
  const { store, session, forgetPendingGets, keyring, toast } = deps;
  const email = store.get(storedKeys.userEmail, plainText);
  const user = store.get(storedKeys.userData, json(User));
  const keyOwner = store.get(storedKeys.keyOwner, plainText);

  const changeOwner = (from: string, to: string): void => {
    for (const key of ownedKeys) {
      const item = store.get(key, OwnedValue);
      const value = item.read();
      if (value?.owner === from) item.write({ ...value, owner: to });
    }
    // The cached account contains the old address.
    store.remove([storedKeys.cachedAccount]);
  };
  const signedIn = (): User | null => {
    const { value } = session.state$;
    return value.kind === "signed-in" ? value.user : null;
  };
  const continueAs = (renamed: User): void => {
    forgetPendingGets();
    session.continueAs(renamed);
  };
  /** Moves the private keys first, because other parts look for them under the new address. */
  const moveKeys = (from: string, to: string): Task<void> =>
    deferTask(() =>
      keyOwner.read() === from
        ? pipe(
            keyring.rename(from, to),
            mapResult((renamed) => {
              if (E.isLeft(renamed)) toast("error", keysNotMovedMessage);
              else keyOwner.write(to);
            }),
          )
        : done,
    );
  /** True if both are the same user under different addresses, and not two users. */
  const isRename = (before: User | null, after: User | null): boolean =>
    before?.id !== undefined && before.id === after?.id && before.email !== after.email;
  /** Writes the user last, because the other tabs react to it and then read the other values. */
  const switchTo = (before: User, address: string): void => {
    if (signedIn()?.email !== before.email) return;
    const renamed = { ...before, email: address };
    changeOwner(before.email, address);
    email.write(address);
    user.write(renamed);
    continueAs(renamed);
  };
  const adopt = (address: string): Task<void> =>
    deferTask(() => {
      const before = signedIn();
      if (before === null || address === "" || before.email === address) return done;
      return pipe(
        moveKeys(before.email, address),
        mapResult(() => switchTo(before, address)),
      );
    });
  return {
    adopt,
    followRemoteChanges: (account$) => {
      const otherTabChanges$ = user.changes$.pipe(
        tap((renamed) => {
          if (renamed === null || !isRename(signedIn(), renamed)) return;
          if (email.read() === renamed.email) continueAs(renamed);
        }),
      );
      const otherDeviceChanges$ = account$.pipe(
        filter((account) => account?.id !== undefined && account.id === signedIn()?.id),
        switchMap((account) => (account === null ? EMPTY : defer(adopt(account.email)))),
      );
      return merge(otherTabChanges$, otherDeviceChanges$).subscribe();
    },
  };
};
