import { isNameOf, toDomainName } from "../../../../core/mail/domainName.ts";
import { domainOf, type EmailAddress, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { SignUpMode, SignUpPolicy } from "../../../platform/config/signUp.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";

/** Returns the sign-up mode that applies to an address. */
export const admissionOf = (policy: SignUpPolicy, email: EmailAddress): SignUpMode => {
  const key = mailboxKey(email);
  const domain = toDomainName(domainOf(key));
  const isAllowed = policy.allowed.some(
    (entry) => entry === key || (domain !== null && isNameOf(entry, domain)),
  );
  return isAllowed ? "open" : policy.mode;
};

/** The 403 for a new address on a server that takes no new accounts. */
export const signUpClosed = (): UseCaseError =>
  new UseCaseError("forbidden", "This server takes no new accounts. Ask whoever runs it.");
