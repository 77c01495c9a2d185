import { type MailPart, renderHtml, renderText } from "../../mime/systemMailLayout.ts";
import type { SystemMail, SystemMailSender } from "./systemMail.ts";

/** The events of passkeys that the user is notified of by mail. */
export type PasskeyEvent =
  | { readonly kind: "added" | "removed" | "copied"; readonly name: string }
  | { readonly kind: "only" | "not-only" };

const subjectOf: Readonly<Record<PasskeyEvent["kind"], string>> = {
  added: "A passkey was added",
  removed: "A passkey was removed",
  copied: "A passkey may have been copied",
  only: "Passkeys are now required",
  "not-only": "Codes by mail work again",
};

/** Returns one or two sentences about the change. */
export const passkeyText = (event: PasskeyEvent): string => {
  switch (event.kind) {
    case "added":
      return `The passkey "${event.name}" was added to your account. Anyone who has it can log in from now on.`;
    case "removed":
      return `The passkey "${event.name}" was removed from your account. It no longer logs in, and the sessions that it had opened have ended.`;
    case "copied":
      return `The passkey "${event.name}" was refused, because its counter went backwards: somebody may have copied it. Remove it under Settings unless you know why.`;
    case "only":
      return "Passkeys are now required to log in. A code by mail is no longer enough.";
    case "not-only":
      return "Passkeys are no longer required: a code by mail is enough to log in again.";
  }
};

/** Tells the user about the change. */
export const passkeyMail = (sender: SystemMailSender, to: string, event: PasskeyEvent): SystemMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `${passkeyText(event)} This concerns your ${brand} account at ${new URL(publicUrl).host}.`,
    },
    {
      kind: "note",
      text: "If this was not you, somebody was logged in to your account. Log in, remove the passkeys and end the sessions that you do not know under Settings, and secure your mailbox.",
    },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `${subjectOf[event.kind]} · ${brand}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Answers the request for a code where only passkeys log in; `code` is null where there are no recovery codes. */
export const passkeysOnlyMail = (
  sender: SystemMailSender,
  to: string,
  { code, validMinutes }: { readonly code: string | null; readonly validMinutes: number },
): SystemMail => {
  const { brand, publicUrl } = sender;
  const { host } = new URL(publicUrl);
  const recovery: readonly MailPart[] =
    code === null
      ? [
          {
            kind: "note",
            text: `If you have lost your passkeys, write to the operator of ${host}: they can create a link that logs you in.`,
          },
        ]
      : [
          {
            kind: "paragraph",
            text: `If you have lost your passkeys, enter this code, and then one of your recovery codes. It works once and expires in ${validMinutes} minutes.`,
          },
          { kind: "code", text: code },
        ];
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Your ${brand} account at ${host} requires a passkey. Choose "Use a passkey" on the page where you log in.`,
    },
    ...recovery,
    {
      kind: "note",
      text: "If you did not ask for this mail, ignore it. Nobody can log in without your passkey. Never share a code.",
    },
  ];
  return {
    to,
    subject: `Log in to ${brand} with your passkey`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};
