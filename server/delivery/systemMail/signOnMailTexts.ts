import { type MailPart, renderHtml, renderText } from "../../mime/systemMailLayout.ts";
import type { SystemMail, SystemMailSender } from "./systemMail.ts";

/** Says that an account was connected with an identity provider. */
export const connectedText = (provider: string): string =>
  `You can log in with ${provider} now. If this was not you, disconnect it in Settings › General and end all other sessions.`;

/** Tells the user that an account was connected with an identity provider. */
export const connectedMail = (sender: SystemMailSender, to: string, provider: string): SystemMail => {
  const { brand, publicUrl } = sender;
  const parts: readonly MailPart[] = [
    {
      kind: "paragraph",
      text: `Your ${brand} account at ${new URL(publicUrl).host} was connected with ${provider}: anyone who logs in there with your identity can use this account too.`,
    },
    {
      kind: "note",
      text: "If this was not you, log in, disconnect it in Settings › General, end the sessions you do not know, and secure your mailbox.",
    },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `You can log in with ${provider} · ${brand}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};
