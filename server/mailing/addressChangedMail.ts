import { htmlMail, type MailPart, textMail } from "./mailLayout.ts";
import type { OwnMail, Sender } from "./ownMail.ts";

/**
 * The mail that tells the old address that it is no longer the account's. It does not say the new one: whoever changes
 * an address may do so because somebody else reads the old mailbox.
 */
export const addressChangedMail = ({ brand, publicUrl }: Sender, to: string): OwnMail => {
  const { host } = new URL(publicUrl);
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `The address of your ${brand} account at ${host} was changed. Codes for signing in no longer come here, to ${to}; they go to the new address.`,
    },
    {
      kind: "note",
      text: `It was not you? Then somebody was signed in to your account. If you still are on one of your devices, end the sessions you do not know under Settings and change the address back; else write at once to whoever runs ${host}.`,
    },
  ];
  return {
    to,
    subject: `The address of your ${brand} account was changed`,
    text: textMail(parts),
    html: htmlMail(brand, parts),
  };
};
