import { htmlMail, type MailPart, textMail } from "./mailLayout.ts";
import type { OwnMail, Sender } from "./ownMail.ts";

/** The mail that asks whether masks may forward to an address (D33). */
export const confirmationMail = (sender: Sender, to: string, token: string, validDays: number): OwnMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Somebody who uses ${brand} at ${new URL(publicUrl).host} wants mail to their masks to arrive here, at ${to}.`,
    },
    { kind: "paragraph", text: "If that is you, please confirm it. Until then nothing is forwarded." },
    { kind: "link", label: "Confirm this address", url: `${publicUrl}/confirm?token=${token}` },
    { kind: "note", text: `The link works for ${validDays} days.` },
    { kind: "note", text: "If it is not you, ignore this mail: nothing will ever be forwarded to you." },
  ];
  return {
    to,
    subject: `Confirm that ${brand} may forward mail to you`,
    text: textMail(parts),
    html: htmlMail(brand, parts),
  };
};
