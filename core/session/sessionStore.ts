import type { Observable } from "rxjs";
import type { Clock } from "../ports/clock.ts";
import { json, plainText, type Store, timestamp } from "../storage/store.ts";
import { removedAtExpiry, removedAtLogout, storedKeys, userDataInTab } from "../storage/storedKeys.ts";
import type { SignedIn } from "./sessionEndpoints.ts";
import { User } from "./user.ts";

/** The assumed lifetime of a session: 7 days from sign-in. */
export const sessionForMs = 604_800_000;

/** The session in the browser's storage. */
export interface SessionStore {
  readonly token: () => string | null;
  /** Returns the signed-in user's address. */
  readonly owner: () => string | null;
  /** Returns the user if token, address and user are all stored, even when the session has expired. */
  readonly user: () => User | null;
  /** Returns the assumed expiry in milliseconds since 1970; infinity when none is stored. */
  readonly expiresAt: () => number;
  /** Returns when the token was last validated, in milliseconds since 1970; 0 for never. */
  readonly validatedAt: () => number;
  readonly markValidated: () => void;
  /** Stores a new session for 7 days; returns false and stores nothing when the browser refuses. */
  readonly save: (signedIn: SignedIn) => boolean;
  /** Stores a new token of the session for 7 days; returns false when the browser refuses. */
  readonly renewToken: (token: string) => boolean;
  /** Stores this tab's own copy of the user. */
  readonly saveInTab: (user: User) => void;
  /** Removes all stored values but the theme; after an expiry, unsaved changes stay too. */
  readonly clear: (reason: "log-out" | "expiry") => void;
  /** Emits when another tab has changed the token. */
  readonly changedElsewhere$: Observable<unknown>;
}

/** Creates the session store; `tabName` is the key of the tab's own copy of the user. */
export const createSessionStore = (store: Store, clock: Clock, tabName: string): SessionStore => {
  const token = store.get(storedKeys.authToken, plainText);
  const email = store.get(storedKeys.userEmail, plainText);
  const user = store.get(storedKeys.userData, json(User));
  const expiry = store.get(storedKeys.tokenExpiry, timestamp);
  const lastValidated = store.get(storedKeys.lastValidated, timestamp);
  const lastLogin = store.get(storedKeys.lastLoginTime, timestamp);
  const inTab = userDataInTab(tabName);
  const userInTab = store.get(inTab, json(User));
  const clear: SessionStore["clear"] = (reason) =>
    store.remove([...(reason === "log-out" ? removedAtLogout : removedAtExpiry), inTab]);
  const saveInTab = (kept: User): void => {
    userInTab.write(kept);
  };
  /** Writes the token last, because other tabs react to it and then read the other values. */
  const renewToken = (renewed: string): boolean =>
    expiry.write(clock.now() + sessionForMs) && lastValidated.write(clock.now()) && token.write(renewed);
  return {
    token: token.read,
    owner: email.read,
    user: () => (token.read() !== null && email.read() !== null ? user.read() : null),
    expiresAt: () => expiry.read() ?? Number.POSITIVE_INFINITY,
    validatedAt: () => lastValidated.read() ?? 0,
    markValidated: () => {
      lastValidated.write(clock.now());
    },
    renewToken,
    save: (signedIn) => {
      const kept =
        email.write(signedIn.user.email) &&
        user.write(signedIn.user) &&
        lastLogin.write(clock.now()) &&
        renewToken(signedIn.token);
      if (!kept) clear("expiry");
      else saveInTab(signedIn.user);
      return kept;
    },
    saveInTab,
    clear,
    changedElsewhere$: token.changes$,
  };
};
