/** A card of a section; its id is that of its title. */
export interface SettingsCard {
  readonly id: string;
  readonly title: string;
  /** The feature of the server without which the card is not shown; without a name, it always is. */
  readonly needs?: "singleSignOn";
}

/** A section of the settings, which has an address of its own. */
export interface SettingsSection {
  readonly id: SettingsSectionId;
  /** The name in the navigation. */
  readonly label: string;
  readonly title: string;
  readonly text: string;
  /** The cards that the palette finds in the section besides the section itself. */
  readonly cards: readonly SettingsCard[];
}

export type SettingsSectionId =
  | "account"
  | "mail"
  | "masks"
  | "security"
  | "privacy"
  | "domains"
  | "programs"
  | "data";

/** The sections of the settings, in the order of their navigation (SG1). */
export const settingsSections: readonly SettingsSection[] = [
  {
    id: "account",
    label: "Account",
    title: "Account",
    text: "Appearance, what the account uses, and deleting it.",
    cards: [
      { id: "appearance", title: "Appearance" },
      { id: "your-account", title: "Your account" },
      { id: "identities", title: "Single sign-on", needs: "singleSignOn" },
      { id: "delete-account", title: "Delete account" },
    ],
  },
  {
    id: "mail",
    label: "Mail",
    title: "Mail",
    text: "Where email goes, how senders are shown, what is held or logged.",
    cards: [
      { id: "destinations", title: "Addresses" },
      { id: "sender-display", title: "Forwarded Mail" },
      { id: "action-links", title: "Links in Forwarded Mail" },
      { id: "unsubscribe", title: "Mailing Lists" },
      { id: "invitations", title: "Invitations" },
      { id: "mask-tags", title: "Tags" },
      { id: "held-notices", title: "Held Mail" },
      { id: "log", title: "Log" },
    ],
  },
  {
    id: "masks",
    label: "Masks",
    title: "Masks",
    text: "The addresses of new masks, labels, and deleted masks.",
    cards: [
      { id: "new-masks", title: "New Masks" },
      { id: "mask-list", title: "List of masks" },
    ],
  },
  {
    id: "security",
    label: "Security",
    title: "Security Settings",
    text: "A second factor, encryption, and where you are logged in.",
    cards: [
      { id: "passkeys", title: "Passkeys" },
      { id: "two-factor", title: "Two-Factor Authentication" },
      { id: "encryption", title: "Email Encryption" },
      { id: "sessions", title: "Sessions" },
    ],
  },
  {
    id: "privacy",
    label: "Privacy",
    title: "Privacy",
    text: "What this server may read of your email, and what for.",
    cards: [
      { id: "ai-features", title: "AI Features" },
      { id: "content-access", title: "AI Content Access" },
    ],
  },
  {
    id: "domains",
    label: "Domains",
    title: "Domains",
    text: "Masks at a domain of yours, or under a name of this installation.",
    cards: [],
  },
  {
    id: "programs",
    label: "Programs",
    title: "Programs",
    text: "Password managers, scripts and mail programs that use your masks.",
    cards: [
      { id: "api-tokens", title: "API tokens" },
      { id: "webhooks", title: "Webhooks" },
      { id: "app-passwords", title: "Mail programs" },
    ],
  },
  {
    id: "data",
    label: "Data",
    title: "Your data",
    text: "Export your data, or import masks.",
    cards: [
      { id: "export-data", title: "Export my data" },
      { id: "import-masks", title: "Import masks" },
    ],
  },
];
