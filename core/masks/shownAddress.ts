import { domainOf, localPartOf } from "../mail/emailAddress.ts";
import type { Mask } from "./mask.ts";

const longestShown = 20;
const shortenedTo = 16;

/**
 * The mask's address as its card shows it: where the page is narrow, a local part of more than 20 characters
 * is cut to its first 16 and an ellipsis (MA4).
 */
export const shownAddress = ({ maskEmail }: Pick<Mask, "maskEmail">, narrow: boolean): string => {
  const characters = Array.from(localPartOf(maskEmail));
  return narrow && characters.length > longestShown
    ? `${characters.slice(0, shortenedTo).join("")}…@${domainOf(maskEmail)}`
    : maskEmail;
};
