import { domainToASCII } from "node:url";
import { domainOf, type EmailAddress } from "../../core/mail/emailAddress.ts";

const ascii = (domain: string): string => domainToASCII(domain) || domain.toLowerCase();

/** Whether an address is at the domain of our masks: mail forwarded there would come back to us for ever. */
export const isOwnDomain = (address: EmailAddress, maskDomain: string): boolean =>
  ascii(domainOf(address)) === ascii(maskDomain);
