import type { EmailAddress } from "../../../core/mail/emailAddress.ts";
import type { OneTimeCode } from "../../../core/session/oneTimeCode.ts";
import { type MailPart, renderHtml, renderText } from "../../mime/systemMailLayout.ts";
import type { SystemMail, SystemMailSender } from "./systemMail.ts";

interface CodeMailTexts {
  readonly intro: string;
  /** The next step once the code is entered; "" for nothing that needs to be said. */
  readonly after: string;
  /** Says what to do for whoever did not ask for it. */
  readonly note: string;
  /** The text in the subject after the code, which comes first there, so that a phone's notification shows it. */
  readonly subject: string;
}

const codeMail = (
  { brand }: SystemMailSender,
  to: string,
  { code, validMinutes }: { readonly code: OneTimeCode; readonly validMinutes: number },
  { intro, after, note, subject }: CodeMailTexts,
): SystemMail => {
  const parts: readonly MailPart[] = [
    { kind: "paragraph", text: intro },
    { kind: "code", text: code },
    {
      kind: "paragraph",
      text: `Enter it on the page that asked for it. It works once and expires in ${validMinutes} minutes.${after}`,
    },
    { kind: "note", text: note },
  ];
  return {
    to,
    subject: `${code} ${subject}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Contains the code to log in with. */
export const signInCodeMail = (
  sender: SystemMailSender,
  to: string,
  code: OneTimeCode,
  validMinutes: number,
): SystemMail =>
  codeMail(
    sender,
    to,
    { code, validMinutes },
    {
      intro: `Your code to log in to ${sender.brand} at ${new URL(sender.publicUrl).host}:`,
      after: "",
      note: "If you did not ask for this code, ignore this mail. Never share it.",
      subject: `is your ${sender.brand} sign-in code`,
    },
  );

/** Contains the code with which a signed-in user confirms that it is them. */
export const proofCodeMail = (
  sender: SystemMailSender,
  to: string,
  code: OneTimeCode,
  validMinutes: number,
): SystemMail =>
  codeMail(
    sender,
    to,
    { code, validMinutes },
    {
      intro: `Somebody who is logged in to your ${sender.brand} account at ${new URL(sender.publicUrl).host} is about to do what only you may: change who gets in or where mail goes, or copy all data. If it is you, confirm it with this code:`,
      after: "",
      note: "If it is not you, somebody has one of your sessions. Nothing changes without the code: never share it, and end all sessions in Settings, Security.",
      subject: `confirms that it is you at ${sender.brand}`,
    },
  );

/** Contains the code for a new address; it is sent to the new address and does not name the account. */
export const newAddressCodeMail = (
  sender: SystemMailSender,
  to: string,
  code: OneTimeCode,
  validMinutes: number,
): SystemMail =>
  codeMail(
    sender,
    to,
    { code, validMinutes },
    {
      intro: `Your code for moving your ${sender.brand} account at ${new URL(sender.publicUrl).host} to this address:`,
      after: " After that you log in with this address.",
      note: "If you did not ask for this code, ignore this mail. Never share it.",
      subject: `confirms your new address at ${sender.brand}`,
    },
  );

/** Notifies the old address. The mail does not contain the new address, because others may read the old mailbox. */
export const addressChangedMail = ({ brand, publicUrl }: SystemMailSender, to: string): SystemMail => {
  const { host } = new URL(publicUrl);
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `The address of your ${brand} account at ${host} was changed. Codes for logging in no longer come here, to ${to}; they go to the new address.`,
    },
    {
      kind: "note",
      text: `If this was not you, somebody was logged in to your account. If you are still logged in on a device, end the sessions you do not know under Settings and change the address back. If not, write to the operator of ${host} at once.`,
    },
  ];
  return {
    to,
    subject: `The address of your ${brand} account was changed`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Asks whether masks may forward mail to an address (D33). */
export const destinationConfirmationMail = (
  sender: SystemMailSender,
  to: string,
  token: string,
  validDays: number,
): SystemMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Somebody who uses ${brand} at ${new URL(publicUrl).host} wants to forward the mail of their masks to ${to}.`,
    },
    { kind: "paragraph", text: "If that is you, confirm the address. Until then nothing is forwarded." },
    { kind: "link", label: "Confirm this address", url: `${publicUrl}/confirm?token=${token}` },
    { kind: "note", text: `The link works for ${validDays} days.` },
    { kind: "note", text: "If that is not you, ignore this mail: nothing is forwarded." },
  ];
  return {
    to,
    subject: `Confirm that ${brand} may forward mail to you`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Says that mail can go to a further address; `token` is the name of the API token that has added it, null for a session. */
export const addedDestinationText = (email: EmailAddress, token: string | null): string => {
  const [who, remedy] =
    token === null
      ? ["by somebody who is logged in", "end all other sessions"]
      : [`by the API token "${token}"`, "revoke the token"];
  return `${email} was added to the addresses of your account ${who}. Mail of your masks can be forwarded there once the address is confirmed. If this was not you, remove it and ${remedy}.`;
};

/** Tells the owner of a new destination at the account's address. */
export const addedDestinationMail = (
  { brand, publicUrl }: SystemMailSender,
  to: string,
  text: string,
): SystemMail => {
  const parts: readonly MailPart[] = [
    { kind: "paragraph", text },
    {
      kind: "note",
      text: `This concerns your ${brand} account at ${new URL(publicUrl).host}. The address is in Settings under Mail, sessions are under Security, and API tokens under Programs.`,
    },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `A new address for forwarded mail · ${brand}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Confirms that an account was deleted. */
export const accountDeletedMail = ({ brand, publicUrl }: SystemMailSender, to: string): SystemMail => {
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Your ${brand} account at ${new URL(publicUrl).host} was deleted, with its masks, rules and statistics. Mail to your masks is refused from now on, and nobody else will ever get one of their addresses.`,
    },
    {
      kind: "note",
      text: "If this was not you, somebody was logged in to your account. The account cannot be restored. Write to the operator, and secure your mailbox.",
    },
  ];
  return {
    to,
    subject: `Your ${brand} account was deleted`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Changes to two-factor authentication that the user is notified of by mail. */
export type TwoFactorEvent =
  | "enabled"
  | "disabled"
  | "disabled-by-operator"
  | "recovery-code-used"
  | "recovery-codes-renewed";

const twoFactorTexts: Readonly<Record<TwoFactorEvent, { readonly subject: string; readonly text: string }>> =
  {
    enabled: {
      subject: "Two-factor authentication is on",
      text: "Two-factor authentication was switched on. From now on logging in needs a code from your authenticator app besides the code by mail.",
    },
    disabled: {
      subject: "Two-factor authentication is off",
      text: "Two-factor authentication was switched off. From now on the code by mail is enough to log in.",
    },
    "disabled-by-operator": {
      subject: "Two-factor authentication is off",
      text: "The operator has switched two-factor authentication off and ended all sessions. From now on the code by mail is enough to log in.",
    },
    "recovery-code-used": {
      subject: "A recovery code was used",
      text: "Somebody logged in with one of your recovery codes. That code no longer works.",
    },
    "recovery-codes-renewed": {
      subject: "You have new recovery codes",
      text: "New recovery codes were created for your account. The ones you had before no longer work.",
    },
  };

/** Returns one or two sentences about the change. */
export const twoFactorText = (event: TwoFactorEvent): string => twoFactorTexts[event].text;

/** Tells the user about the change. */
export const twoFactorMail = (sender: SystemMailSender, to: string, event: TwoFactorEvent): SystemMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `${twoFactorTexts[event].text} This concerns your ${brand} account at ${new URL(publicUrl).host}.`,
    },
    {
      kind: "note",
      text:
        event === "disabled-by-operator"
          ? "If you did not ask for this, write to the operator. Log in, and switch two-factor authentication on again in Settings, Security."
          : "If this was not you, somebody can read your mail. Log in, end the sessions you do not know under Settings, and secure your mailbox.",
    },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `${twoFactorTexts[event].subject} · ${brand}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};
