import type { ComponentType } from "react";
import { type Chunk, createChunk } from "../../loading/chunk.ts";
import type { Route } from "../../navigation/route.ts";
import { BellIcon } from "../../ui/icons/BellIcon.tsx";
import { DataIcon } from "../../ui/icons/DataIcon.tsx";
import { EyeIcon } from "../../ui/icons/EyeIcon.tsx";
import { GlobeIcon } from "../../ui/icons/GlobeIcon.tsx";
import type { IconProps } from "../../ui/icons/IconFrame.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { MaskIcon } from "../../ui/icons/MaskIcon.tsx";
import { ProgramIcon } from "../../ui/icons/ProgramIcon.tsx";
import { SettingsIcon } from "../../ui/icons/SettingsIcon.tsx";
import { ShieldIcon } from "../../ui/icons/ShieldIcon.tsx";

/** A card of a section; its address is that of the section and its id. */
export interface SettingsEntry {
  /** The id of its title. */
  readonly id: string;
  /** Null where the title of the section is that of its one card. */
  readonly title: string | null;
  /** Further words by which the palette finds it, between commas, the ones that mean nothing else first. */
  readonly keywords?: string;
  /** The feature of the server without which the card is not shown; without a name, it always is. */
  readonly needs?: "singleSignOn";
  /** True for one control, which stands as a row in the last card of the section (`SettingsRow`). */
  readonly isRow?: true;
  /** The card, which takes its id and title from here (`SettingsCard`); absent where another card shows it. */
  readonly chunk?: Chunk<ComponentType>;
}

/** A section of the settings. */
export interface SettingsSection extends Route {
  readonly path: readonly ["settings", string];
  readonly icon: ComponentType<IconProps>;
  /** The name in the navigation, where it is shorter than the title. */
  readonly label?: string;
  readonly text: string;
  readonly cards: readonly SettingsEntry[];
}

/** The sections of the settings, in the order of their navigation (SG1). A wide screen shows the first until one is chosen. */
export const settingsSections: readonly [SettingsSection, ...SettingsSection[]] = [
  {
    path: ["settings", "account"],
    title: "General",
    icon: SettingsIcon,
    text: "Appearance, what else belongs to your account, and deleting it.",
    cards: [
      {
        id: "appearance",
        title: "Appearance",
        keywords: "theme, language, contrast, color scheme",
        chunk: createChunk(
          () => import("./plainCards.tsx"),
          (module) => module.AppearanceCard,
        ),
      },
      {
        id: "your-account",
        title: "Your account",
        keywords: "email address, change email, usage",
        chunk: createChunk(
          () => import("./plainCards.tsx"),
          (module) => module.YourAccountCard,
        ),
      },
      {
        id: "identities",
        title: "Single sign-on",
        keywords: "sso, openid, oidc, google, identity",
        needs: "singleSignOn",
        chunk: createChunk(
          () => import("../../features/session/IdentitiesCard.tsx"),
          (module) => module.IdentitiesCard,
        ),
      },
      {
        id: "delete-account",
        title: "Delete account",
        keywords: "close account, remove account, cancel, leave, gdpr, erase",
        chunk: createChunk(
          () => import("../../features/account/DeleteAccountSection.tsx"),
          (module) => module.DeleteAccountSection,
        ),
      },
    ],
  },
  {
    path: ["settings", "mail"],
    title: "Mail",
    icon: MailIcon,
    text: "Where email goes, how senders are shown, what is held or logged.",
    cards: [
      {
        id: "destinations",
        title: "Addresses",
        keywords:
          "forward, forward to, destination, recipient, second address, second email, add address, add email, redirect, inbox, verify address",
        chunk: createChunk(
          () => import("../../features/destinations/DestinationsCard.tsx"),
          (module) => module.DestinationsCard,
        ),
      },
      {
        id: "sender-display",
        title: "Show the sender as",
        keywords: "sender name, forwarded mail, from, display name, subject, reply to",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/account/MailCards.tsx"),
          (module) => module.SenderDisplayCard,
        ),
      },
      {
        id: "action-links",
        title: "Links in forwarded mail",
        keywords: "footer, banner, action links",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/account/MailCards.tsx"),
          (module) => module.ActionLinksCard,
        ),
      },
      {
        id: "unsubscribe",
        title: "Unsubscribe",
        keywords: "newsletter, mailing list, list",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/account/MailCards.tsx"),
          (module) => module.UnsubscribeCard,
        ),
      },
      {
        id: "invitations",
        title: "Answer invitations through the mask",
        keywords: "calendar, ics, meeting, event",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/account/MailCards.tsx"),
          (module) => module.CalendarsCard,
        ),
      },
      {
        id: "mask-tags",
        title: "Take email with tags",
        keywords: "tags, label in subject, subject tag, plus address",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/account/MailCards.tsx"),
          (module) => module.MaskTagsCard,
        ),
      },
      {
        id: "codes",
        title: "Show codes at once",
        keywords: "code, one-time code, otp, verification code, confirmation link, magic link",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/account/MailCards.tsx"),
          (module) => module.CodesCard,
        ),
      },
      {
        id: "held-notices",
        title: "Daily notice of held mail",
        keywords: "notifications, notify, digest, spam notice",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/held/HeldNoticesCard.tsx"),
          (module) => module.HeldNoticesCard,
        ),
      },
      {
        id: "log",
        title: "Log",
        isRow: true,
        chunk: createChunk(
          () => import("../../features/mailLog/LogCard.tsx"),
          (module) => module.LogCard,
        ),
      },
    ],
  },
  {
    path: ["settings", "notifications"],
    title: "Notifications",
    icon: BellIcon,
    text: "What your devices show while the app is closed, and when.",
    cards: [
      {
        id: "push",
        title: "Push notifications",
        keywords: "notify, alert, badge, quiet hours, do not disturb, phone",
        chunk: createChunk(
          () => import("../../features/push/PushCard.tsx"),
          (module) => module.PushCard,
        ),
      },
    ],
  },
  {
    path: ["settings", "masks"],
    title: "Masks",
    icon: MaskIcon,
    text: "The addresses of new masks, labels, and deleted masks.",
    cards: [
      {
        id: "new-masks",
        title: "New masks",
        keywords: "format, random words, default address, address length",
        chunk: createChunk(
          () => import("../../features/account/NewMasksCard.tsx"),
          (module) => module.NewMasksCard,
        ),
      },
      {
        id: "mask-list",
        title: "List of masks",
        chunk: createChunk(
          () => import("./plainCards.tsx"),
          (module) => module.MaskListCard,
        ),
      },
    ],
  },
  {
    path: ["settings", "security"],
    title: "Security Settings",
    label: "Security",
    icon: ShieldIcon,
    text: "Two-factor authentication, encryption, and where you are logged in.",
    cards: [
      {
        id: "passkeys",
        title: "Passkeys",
        keywords: "webauthn, security key, yubikey, touch id, face id, fingerprint, passwordless, password",
        chunk: createChunk(
          () => import("../../features/passkeys/PasskeysCard.tsx"),
          (module) => module.PasskeysCard,
        ),
      },
      {
        id: "two-factor",
        title: "Two-Factor Authentication",
        keywords: "2fa, mfa, totp, otp, authenticator, second factor, recovery codes, backup codes",
        chunk: createChunk(
          () => import("../../features/session/twoFactor/TwoFactorCard.tsx"),
          (module) => module.TwoFactorCard,
        ),
      },
      {
        id: "encryption",
        title: "Email Encryption",
        keywords: "key, encrypt, pgp, gpg, openpgp, private key, public key, decrypt, backup of the key",
        chunk: createChunk(
          () => import("../../features/encryption/EncryptionCard.tsx"),
          (module) => module.EncryptionCard,
        ),
      },
      {
        id: "sessions",
        title: "Sessions",
        keywords: "devices, logged in, log out everywhere, sign out everywhere, browsers",
        chunk: createChunk(
          () => import("../../features/session/SessionsCard.tsx"),
          (module) => module.SessionsCard,
        ),
      },
    ],
  },
  {
    path: ["settings", "privacy"],
    title: "Privacy",
    icon: EyeIcon,
    text: "What this server may read of your email, and what for.",
    cards: [
      {
        id: "ai-features",
        title: "AI Features",
        keywords: "ai, artificial intelligence, classifier, categories, machine learning, model, consent",
        chunk: createChunk(
          () => import("../../features/contentAccess/AiSection.tsx"),
          (module) => module.AiSection,
        ),
      },
      // The card of the AI features shows it inside.
      { id: "content-access", title: "AI Content Access" },
    ],
  },
  {
    path: ["settings", "domains"],
    title: "Domains",
    icon: GlobeIcon,
    isInMenu: true,
    text: "Masks at a domain of yours, or under a name of this installation.",
    cards: [
      {
        id: "domains",
        title: null,
        chunk: createChunk(
          () => import("../../features/domains/DomainsCard.tsx"),
          (module) => module.DomainsCard,
        ),
      },
    ],
  },
  {
    path: ["settings", "programs"],
    title: "Programs",
    icon: ProgramIcon,
    text: "Password managers, scripts and mail programs that use your masks.",
    cards: [
      {
        id: "api-tokens",
        title: "API tokens",
        keywords: "api, token, bitwarden, password manager, browser extension, 1password, script, access key",
        chunk: createChunk(
          () => import("../../features/apiTokens/ApiTokensCard.tsx"),
          (module) => module.ApiTokensCard,
        ),
      },
      {
        id: "webhooks",
        title: "Webhooks",
        keywords: "http, callback, zapier, integration",
        chunk: createChunk(
          () => import("../../features/webhooks/WebhooksCard.tsx"),
          (module) => module.WebhooksCard,
        ),
      },
      {
        id: "app-passwords",
        title: "Mail programs",
        keywords: "smtp, app password, thunderbird, outlook, apple mail, imap, mail client",
        chunk: createChunk(
          () => import("../../features/appPasswords/AppPasswordsCard.tsx"),
          (module) => module.AppPasswordsCard,
        ),
      },
    ],
  },
  {
    path: ["settings", "data"],
    title: "Your data",
    label: "Data",
    icon: DataIcon,
    text: "Export your data, or import masks.",
    cards: [
      {
        id: "export-data",
        title: "Export my data",
        keywords: "backup, download, takeout, csv, json, archive",
        chunk: createChunk(
          () => import("../../features/account/DataCards.tsx"),
          (module) => module.ExportCard,
        ),
      },
      {
        id: "import-masks",
        title: "Import masks",
        keywords: "import, move, migrate, simplelogin, addy, relay, switch from, upload",
        chunk: createChunk(
          () => import("../../features/account/DataCards.tsx"),
          (module) => module.ImportCard,
        ),
      },
    ],
  },
];

/** Loads the code of all cards, which is one piece. */
export const loadCards = async (): Promise<void> => {
  await Promise.all(settingsSections.flatMap(({ cards }) => cards.map(({ chunk }) => chunk?.load())));
};
