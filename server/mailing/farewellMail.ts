import { htmlMail, type MailPart, textMail } from "./mailLayout.ts";
import type { OwnMail, Sender } from "./ownMail.ts";

/** The last mail to somebody whose account is gone. */
export const farewellMail = ({ brand, publicUrl }: Sender, to: string): OwnMail => {
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Your ${brand} account at ${new URL(publicUrl).host} was deleted, with its masks, rules and statistics. Mail to your masks is refused from now on, and nobody else will ever get one of their addresses.`,
    },
    {
      kind: "note",
      text: "It was not you? Then somebody was signed in to your account. It cannot be brought back; write to whoever runs the server, and secure your mailbox.",
    },
  ];
  return {
    to,
    subject: `Your ${brand} account was deleted`,
    text: textMail(parts),
    html: htmlMail(brand, parts),
  };
};
