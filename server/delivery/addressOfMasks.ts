import { domainOf, type EmailAddress } from "../../core/mail/emailAddress.ts";
import type { Db } from "../platform/store/database.ts";
import { findProvenDomain } from "../platform/store/provenDomains.ts";
import { toAsciiDomain } from "./systemMail/systemMail.ts";

/**
 * Whether mail to an address comes to masks, so that it can be no one's own address: neither to sign in with nor to
 * forward to. That is the mask domain with all its sub-domains, and the proven domains of users.
 */
export const isAddressOfMasks = async (db: Db, email: EmailAddress, maskDomain: string): Promise<boolean> => {
  const [domain, ours] = [toAsciiDomain(domainOf(email)), toAsciiDomain(maskDomain)];
  return domain === ours || domain.endsWith(`.${ours}`) || (await findProvenDomain(db, domain)) !== undefined;
};
