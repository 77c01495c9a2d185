import type { Observable } from "rxjs";
import { User } from "../account/user.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../storage/store.ts";
import { json, plainText, timestamp } from "../storage/storedCodecs.ts";
import { forgottenAtLogout, storedKeys, userDataInTab } from "../storage/storedKeys.ts";
import type { SignedIn } from "./sessionEndpoints.ts";

/** How long a session is taken to live from sign-in on (SI10). */
const sessionForMs = 604_800_000;

/** The session as the browser keeps it (SE1). */
export interface SessionItems {
  readonly token: () => string | null;
  /** Who is signed in: token, e-mail and user are all there (SE2) and the expiry is not past (SE9). */
  readonly user: () => User | null;
  /** Keeps a new session, seven days from now; false, and nothing kept, when the browser refuses. */
  readonly keep: (signedIn: SignedIn) => boolean;
  /** Keeps the user object for this tab as well. */
  readonly keepInTab: (user: User) => void;
  /** Removes everything but the theme (D45). */
  readonly forget: () => void;
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
  const forget = (): void => store.forget([...forgottenAtLogout, inTab]);
  const keepInTab = (kept: User): void => {
    userInTab.write(kept);
  };
  return {
    token: token.read,
    user: () => {
      const known = token.read() !== null && email.read() !== null;
      const current = (expiry.read() ?? clock.now()) >= clock.now();
      return known && current ? user.read() : null;
    },
    keep: (signedIn) => {
      const now = clock.now();
      const kept =
        email.write(signedIn.user.email) &&
        user.write(signedIn.user) &&
        expiry.write(now + sessionForMs) &&
        lastValidated.write(now) &&
        lastLogin.write(now) &&
        // Last, so that another tab that sees the token finds the rest.
        token.write(signedIn.token);
      if (!kept) forget();
      else keepInTab(signedIn.user);
      return kept;
    },
    keepInTab,
    forget,
    changedElsewhere$: token.changes$,
  };
};
