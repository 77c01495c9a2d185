import type { Observable } from "rxjs";
import { User } from "../account/user.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../storage/store.ts";
import { json, plainText, timestamp } from "../storage/storedCodecs.ts";
import { forgottenAtExpiry, forgottenAtLogout, storedKeys, userDataInTab } from "../storage/storedKeys.ts";
import type { SignedIn } from "./sessionEndpoints.ts";

/** How long a session is taken to live from sign-in on (SI10). */
const sessionForMs = 604_800_000;

/** The session as the browser keeps it (SE1). */
export interface SessionItems {
  readonly token: () => string | null;
  /** The address in whose name this browser is signed in. */
  readonly owner: () => string | null;
  /** Who is signed in: token, e-mail and user are all there (SE2). Whether the session is over, `expiresAt` tells. */
  readonly user: () => User | null;
  /** Until when the session is taken to live, in milliseconds since 1970; without end when nothing is kept (SE9). */
  readonly expiresAt: () => number;
  /** When the server last knew the token, in milliseconds since 1970; 0 for never. */
  readonly validatedAt: () => number;
  /** Notes that the server knows the token. */
  readonly noteValid: () => void;
  /** Keeps a new session, seven days from now; false, and nothing kept, when the browser refuses. */
  readonly keep: (signedIn: SignedIn) => boolean;
  /** Keeps a new token of the same session, seven days from now; false when the browser refuses. */
  readonly renew: (token: string) => boolean;
  /** Keeps the user object for this tab as well. */
  readonly keepInTab: (user: User) => void;
  /** Removes everything but the theme (D45), and what is not saved yet unless its user has logged out. */
  readonly forget: (reason: "log-out" | "expiry") => void;
  /** Another tab has signed in or out. */
  readonly changedElsewhere$: Observable<unknown>;
}

export const makeSessionItems = (store: Store, clock: Clock, tabName: string): SessionItems => {
  const token = store.of(storedKeys.authToken, plainText);
  const email = store.of(storedKeys.userEmail, plainText);
  const user = store.of(storedKeys.userData, json(User));
  const expiry = store.of(storedKeys.tokenExpiry, timestamp);
  const lastValidated = store.of(storedKeys.lastValidated, timestamp);
  const lastLogin = store.of(storedKeys.lastLoginTime, timestamp);
  const inTab = userDataInTab(tabName);
  const userInTab = store.of(inTab, json(User));
  const forget: SessionItems["forget"] = (reason) =>
    store.forget([...(reason === "log-out" ? forgottenAtLogout : forgottenAtExpiry), inTab]);
  const keepInTab = (kept: User): void => {
    userInTab.write(kept);
  };
  /** The token last, so that another tab that sees it finds the rest. */
  const renew = (renewed: string): boolean =>
    expiry.write(clock.now() + sessionForMs) && lastValidated.write(clock.now()) && token.write(renewed);
  return {
    token: token.read,
    owner: email.read,
    user: () => (token.read() !== null && email.read() !== null ? user.read() : null),
    expiresAt: () => expiry.read() ?? Number.POSITIVE_INFINITY,
    validatedAt: () => lastValidated.read() ?? 0,
    noteValid: () => {
      lastValidated.write(clock.now());
    },
    renew,
    keep: (signedIn) => {
      const kept =
        email.write(signedIn.user.email) &&
        user.write(signedIn.user) &&
        lastLogin.write(clock.now()) &&
        renew(signedIn.token);
      if (!kept) forget("expiry");
      else keepInTab(signedIn.user);
      return kept;
    },
    keepInTab,
    forget,
    changedElsewhere$: token.changes$,
  };
};
