/** The lifetimes for which a cached value counts as fresh, in milliseconds. */
export const lifetimesMs = {
  short: 60_000,
  medium: 300_000,
  long: 1_800_000,
  account: 300_000,
  masks: 120_000,
  rules: 120_000,
  insights: 600_000,
  aiPreferences: 900_000,
} as const;

/** A key in the browser's storage. The feature that owns the value declares its codec. */
export interface StoredKey {
  readonly name: string;
  readonly place: "local" | "tab";
  /** The time for which a cached value counts as fresh, in milliseconds; `lifetimesMs.short` when left out. */
  readonly freshForMs?: number;
  /** The value survives a logout. */
  readonly survivesLogout?: true;
  /** The value survives an expired session; its owner finds it again after the next sign-in. */
  readonly survivesExpiry?: true;
}

const local = (name: string, more: Omit<StoredKey, "name" | "place"> = {}): StoredKey => ({
  name,
  place: "local",
  ...more,
});

const inTab = (name: string, more: Omit<StoredKey, "name" | "place"> = {}): StoredKey => ({
  name,
  place: "tab",
  ...more,
});

/** All keys with their storage and lifetime. */
export const storedKeys = {
  authToken: local("authToken"),
  userEmail: local("userEmail"),
  userData: local("userData"),
  tokenExpiry: local("tokenExpiry"),
  lastValidated: local("lastValidated"),
  lastLoginTime: local("lastLoginTime"),
  csrfToken: local("csrfToken"),
  /** The lease of the tab that refreshes the session, where the browser has no locks. */
  refreshLease: local("refreshLease"),
  cachedMasks: local("cached_masks", { freshForMs: lifetimesMs.masks }),
  cachedAccountRules: local("cached_account_rules", { freshForMs: lifetimesMs.rules }),
  /** Rule changes that have not reached the server. */
  pendingRulesSync: local("pendingRulesSync", { survivesExpiry: true }),
  /** Masks that were made without a connection and have no address yet, and changes of masks. */
  waitingMasks: local("waitingMasks", { survivesExpiry: true }),
  /** The owner of the private keys on this device; the keyring stores the keys. */
  keyOwner: local("keyOwner", { survivesExpiry: true }),
  cachedAccount: local("cached_account", { freshForMs: lifetimesMs.account }),
  cachedInsights: local("cached_insights", { freshForMs: lifetimesMs.insights }),
  cachedContentAccess: local("cached_content_access", { freshForMs: lifetimesMs.aiPreferences }),
  cachedAiPreferences: local("cached_ai_preferences", { freshForMs: lifetimesMs.aiPreferences }),
  /** The newest page of the log, as the server sent it. */
  cachedLog: local("cached_log"),
  cachedDestinations: local("cached_destinations"),
  /** The newest held mails. */
  cachedHeld: local("cached_held"),
  /** The newest mails in the app, and those that were opened, encrypted as the server has them. */
  cachedMailbox: local("cached_mailbox"),
  cachedDomains: local("cached_domains"),
  cachedTrash: local("cached_trash"),
  cachedLabels: local("cached_labels"),
  appliedSuggestions: local("appliedSuggestions"),
  dismissedSuggestions: local("dismissedSuggestions"),
  /** The last configuration from the server; the page uses it when there is no network. */
  cachedConfiguration: local("cached_configuration", { survivesExpiry: true }),
  /** The step of a sign-in under way, for a reload. Survives a visitor's session end, not a sign-in. */
  pendingSignIn: inTab("pendingSignIn", { survivesLogout: true }),
  /** The user who is at the key step of the sign-in, so that a reload shows it again. */
  keySetupOwner: inTab("keySetupOwner"),
  /** Whose session in this tab began with the key step or has answered an offer: it offers nothing else. */
  offersEndedFor: inTab("offersEndedFor"),
  /** The new user who is at the two-factor step, likewise. */
  twoFactorSetupOwner: inTab("twoFactorSetupOwner"),
  /** The unsaved input of forms, so that a reload does not lose it. */
  formDrafts: inTab("formDrafts"),
  /** The commands of the palette that were run last. */
  recentCommands: inTab("recentCommands"),
  /** The switch of single keys. */
  singleKeys: local("singleKeys", { survivesExpiry: true }),
  /** The order and layout of the mask list. */
  maskListSettings: local("maskListSettings", { survivesExpiry: true }),
  /** The logout that the server could not be told of. */
  owedLogout: local("owedLogout", { survivesLogout: true }),
  theme: local("theme", { survivesLogout: true }),
} as const satisfies Readonly<Record<string, StoredKey>>;

/** Keys of earlier versions, which the app removes when it starts. */
export const outdatedKeys: readonly StoredKey[] = [local("keptScreen")];

/** Returns the key of this tab's own copy of the user; its name is configurable. */
export const userDataInTab = (name: string): StoredKey => ({ name, place: "tab" });

/** The keys that a logout removes: all but the theme, and what the server has to be told of the logout itself. */
export const removedAtLogout: readonly StoredKey[] = Object.values(storedKeys).filter(
  (key: StoredKey) => !key.survivesLogout,
);

/** The keys that an expired session removes: unsaved changes stay. */
export const removedAtExpiry: readonly StoredKey[] = removedAtLogout.filter((key) => !key.survivesExpiry);
