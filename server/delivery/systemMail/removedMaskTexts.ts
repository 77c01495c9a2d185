import { type MailPart, renderHtml, renderText } from "../../mime/systemMailLayout.ts";
import type { SystemMail, SystemMailSender } from "./systemMail.ts";

const mostNamed = 5;

const listOf = (addresses: readonly string[]): string => {
  const named = addresses.slice(0, mostNamed).join(", ");
  return addresses.length > mostNamed ? `${named} and ${addresses.length - mostNamed} more` : named;
};

/** Says that addresses are taken from an account, because their names were never given out. */
export const removedMasksText = (addresses: readonly string[], maskDomain: string): string =>
  `You have lost ${listOf(addresses)}: names of your own are possible at your own domains only, and an error had let them pass at ${maskDomain}. Mail to them is refused. Their masks are under Deleted masks; create new ones in their place.`;

/** Tells a user which addresses are taken from them. */
export const removedMasksMail = (
  sender: SystemMailSender,
  to: string,
  addresses: readonly string[],
): SystemMail => {
  const { brand, publicUrl, maskDomain } = sender;
  const parts: readonly MailPart[] = [
    { kind: "paragraph", text: removedMasksText(addresses, maskDomain) },
    { kind: "link", label: `Open ${brand}`, url: publicUrl },
  ];
  return {
    to,
    subject: `${addresses.length === 1 ? "A mask was" : "Masks were"} removed from your account · ${brand}`,
    text: renderText(parts),
    html: renderHtml(brand, parts),
  };
};

/** Says to operators which of the installation's own names accounts have had. */
export const removedNamesText = (names: readonly string[], maskDomain: string): string =>
  `Accounts had masks with names of this server: ${listOf(names)}. They are removed. Whoever had admin@ or hostmaster@ could prove ${maskDomain} to a certificate authority: look for its certificates that are not yours, as at crt.sh, and have them revoked. "bauta doctor" names the accounts.`;
