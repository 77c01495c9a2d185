import type { SystemMail, SystemMailSender } from "../../delivery/systemMail/systemMail.ts";
import { type MailPart, renderHtml, renderText } from "../../mime/systemMailLayout.ts";
import { wrongCodeLimits } from "./codeLimits.ts";

/** Tells the owner that somebody may be guessing their codes. */
export const wrongCodesText = `${wrongCodeLimits.notifiedAfter} wrong codes were entered for your account today. If it was not you, somebody is guessing. They cannot log in without the right code. Switch on two-factor authentication under Settings.`;

/** Tells the owner by mail too, because a guesser may lock out the app. */
export const wrongCodesMail = (sender: SystemMailSender, to: string): SystemMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `${wrongCodesText} This concerns your ${brand} account at ${new URL(publicUrl).host}.`,
    },
    {
      kind: "note",
      text: "Never share a code. You can still log in, best with a browser that you have used before.",
    },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `Wrong sign-in codes for your account · ${brand}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};
