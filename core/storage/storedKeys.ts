import { lifetimesMs } from "./lifetimes.ts";

/** A key under which the product keeps something in the browser. The codec of its value belongs to the noun. */
export interface StoredKey {
  readonly name: string;
  readonly place: "local" | "tab";
  /** How long a cached value counts as fresh; a short time when left out (RQ4). */
  readonly freshForMs?: number;
  /** Kept when everything else is forgotten. */
  readonly survivesLogout?: true;
  /** Kept when a session is over that nobody has ended: whose it is goes on with it after signing in again. */
  readonly survivesExpiry?: true;
}

const local = (name: string, more: Omit<StoredKey, "name" | "place"> = {}): StoredKey => ({
  name,
  place: "local",
  ...more,
});

/** Every key there is (SE1), with its place and lifetime (A9). */
export const storedKeys = {
  authToken: local("authToken"),
  userEmail: local("userEmail"),
  userData: local("userData"),
  tokenExpiry: local("tokenExpiry"),
  lastValidated: local("lastValidated"),
  lastLoginTime: local("lastLoginTime"),
  csrfToken: local("csrfToken"),
  /** The name of the tab that is refreshing the session, where the browser has no locks. */
  refreshLease: local("refreshLease"),
  cachedMasks: local("cached_masks", { freshForMs: lifetimesMs.masks }),
  /** Changes of rules that the server has not got yet (SY2). */
  pendingRulesSync: local("pendingRulesSync", { survivesExpiry: true }),
  /** Whose private keys this browser holds; the keys themselves rest where the keyring has them. */
  keyOwner: local("keyOwner", { survivesExpiry: true }),
  cachedAccount: local("cached_account", { freshForMs: lifetimesMs.account }),
  cachedInsights: local("cached_insights", { freshForMs: lifetimesMs.insights }),
  cachedContentAccess: local("cached_content_access", { freshForMs: lifetimesMs.aiPreferences }),
  cachedAiPreferences: local("cached_ai_preferences", { freshForMs: lifetimesMs.aiPreferences }),
  appliedSuggestions: local("appliedSuggestions"),
  dismissedSuggestions: local("dismissedSuggestions"),
  /** What the server last told of itself: the page opens with it when there is no network. */
  cachedConfiguration: local("cached_configuration", { survivesExpiry: true }),
  theme: local("theme", { survivesLogout: true }),
} as const satisfies Readonly<Record<string, StoredKey>>;

/** The user object a second time, for this tab alone, under a name that is configured. */
export const userDataInTab = (name: string): StoredKey => ({ name, place: "tab" });

/** What a logout removes: everything but the theme (D45). */
export const forgottenAtLogout: readonly StoredKey[] = Object.values(storedKeys).filter(
  (key: StoredKey) => !key.survivesLogout,
);

/** What the end of a session removes that nobody has ended: not what its user has not saved yet. */
export const forgottenAtExpiry: readonly StoredKey[] = forgottenAtLogout.filter((key) => !key.survivesExpiry);
