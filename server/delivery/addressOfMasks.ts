import { domainToASCII } from "node:url";
import { type DomainName, isWithinDomain, toDomainName } from "../../core/mail/domainName.ts";
import { domainOf, type EmailAddress } from "../../core/mail/emailAddress.ts";
import type { Db } from "../platform/store/database.ts";
import { findProvenDomain } from "../platform/store/provenDomains.ts";

/**
 * True if mail to an address comes to masks, so that it can be no one's own address: neither to sign in with nor to forward to.
 * That is the mask domain with all its sub-domains, and the proven domains of users.
 */
export const isAddressOfMasks = async (
  db: Db,
  email: EmailAddress,
  maskDomain: DomainName,
): Promise<boolean> => {
  const written = domainOf(email);
  const domain = toDomainName(written) ?? toDomainName(domainToASCII(written));
  if (domain === null) return false;
  return isWithinDomain(domain, maskDomain) || (await findProvenDomain(db, domain)) !== undefined;
};
