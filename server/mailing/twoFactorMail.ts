import { htmlMail, type MailPart, textMail } from "./mailLayout.ts";
import type { OwnMail, Sender } from "./ownMail.ts";

/** What a user is told of in a mail besides the page, because it changes who can sign in. */
export type TwoFactorNews = "enabled" | "disabled" | "recovery-code-used" | "recovery-codes-renewed";

const said: Readonly<Record<TwoFactorNews, { readonly subject: string; readonly text: string }>> = {
  enabled: {
    subject: "Two-factor authentication is on",
    text: "Two-factor authentication was turned on. From now on signing in needs a code from your authenticator app besides the code that comes by mail.",
  },
  disabled: {
    subject: "Two-factor authentication is off",
    text: "Two-factor authentication was turned off. From now on the code that comes by mail is enough to sign in.",
  },
  "recovery-code-used": {
    subject: "A recovery code was used",
    text: "Somebody signed in with one of your recovery codes. That code no longer works.",
  },
  "recovery-codes-renewed": {
    subject: "You have new recovery codes",
    text: "New recovery codes were made for your account. The ones you had before no longer work.",
  },
};

/** The news in a sentence or two. */
export const newsText = (news: TwoFactorNews): string => said[news].text;

/** The mail about it. */
export const twoFactorMail = (sender: Sender, to: string, news: TwoFactorNews): OwnMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `${said[news].text} This concerns your ${brand} account at ${new URL(publicUrl).host}.`,
    },
    {
      kind: "note",
      text: "It was not you? Then somebody can read your mail. Sign in, end the sessions you do not know under Settings, and secure your mailbox.",
    },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `${said[news].subject} · ${brand}`,
    text: textMail(parts),
    html: htmlMail(brand, parts),
  };
};
