import type { OneTimeCode } from "../../core/session/oneTimeCode.ts";
import { htmlMail, type MailPart, textMail } from "./mailLayout.ts";
import type { OwnMail, Sender } from "./ownMail.ts";

/** The mail that carries the code for a new address: to the new one. It names no account. */
export const newAddressMail = (
  sender: Sender,
  to: string,
  code: OneTimeCode,
  validMinutes: number,
): OwnMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Your code for moving your ${brand} account at ${new URL(publicUrl).host} to this address:`,
    },
    { kind: "code", text: code },
    {
      kind: "paragraph",
      text: `Enter it on the page that asked for it. It works once and expires in ${validMinutes} minutes. After that you sign in with this address.`,
    },
    {
      kind: "note",
      text: "You did not ask for this? Then somebody else has typed your address. Nothing happens without the code: ignore this mail, and never tell the code to anyone.",
    },
  ];
  return {
    to,
    subject: `${code} confirms your new address at ${brand}`,
    text: textMail(parts),
    html: htmlMail(brand, parts),
  };
};
