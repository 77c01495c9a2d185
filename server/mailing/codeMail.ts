import type { OneTimeCode } from "../../core/session/oneTimeCode.ts";
import { htmlMail, type MailPart, textMail } from "./mailLayout.ts";
import type { OwnMail, Sender } from "./ownMail.ts";

/** The mail that carries a sign-in code. The code leads the subject, where a phone's notification shows it. */
export const codeMail = (sender: Sender, to: string, code: OneTimeCode, validMinutes: number): OwnMail => {
  const { host } = new URL(sender.publicUrl);
  const parts: readonly MailPart[] = [
    { kind: "paragraph", text: `Your code for signing in to ${sender.brand} at ${host}:` },
    { kind: "code", text: code },
    {
      kind: "paragraph",
      text: `Enter it on the page that asked for it. It works once and expires in ${validMinutes} minutes.`,
    },
    {
      kind: "note",
      text: "You did not ask for a code? Then somebody else has typed your address. Nobody can sign in without the code: ignore this mail, and never tell the code to anyone.",
    },
  ];
  return {
    to,
    subject: `${code} is your ${sender.brand} sign-in code`,
    text: textMail(parts),
    html: htmlMail(sender.brand, parts),
  };
};
