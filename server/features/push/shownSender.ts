import { domainOf, localPartOf } from "../../../core/mail/emailAddress.ts";
import { toVisibleLine } from "../../mime/displayName.ts";
import { unverifiedMark } from "../../mime/forwardedName.ts";
import { namesForeignAddress, toShownDomain } from "../../mime/namedHosts.ts";
import { maxTitle } from "./pushLimits.ts";

const mark = `${unverifiedMark} `;

/** The longest address for which the mark of an unproven sender has room beside it. */
const maxAddress = maxTitle - mark.length;

/** Shortens a text from its beginning, because the end of a domain says whose it is. */
const keepEnd = (text: string, most: number): string =>
  text.length <= most ? text : `…${text.slice(text.length - most + 1).toWellFormed()}`;

/**
 * Returns a sender as the title of a notification: its address, of which the domain is always in view. A local part is left out that
 * has no room or contains an address of another domain; a sender that is not proven is marked. Empty for none.
 */
export const shownSender = ({
  from,
  isProven,
}: {
  readonly from: string;
  readonly isProven: boolean;
}): string => {
  if (!from.includes("@")) return "";
  const domain = domainOf(from);
  const localPart = localPartOf(from);
  const shownDomain = toVisibleLine(toShownDomain(domain));
  const whole = `${toVisibleLine(localPart)}@${shownDomain}`;
  const isWhole = whole.length <= maxAddress && !namesForeignAddress(localPart, domain);
  return `${isProven ? "" : mark}${isWhole ? whole : keepEnd(shownDomain, maxAddress)}`;
};
