import { isNameOf, toDomainName } from "../../../../core/mail/domainName.ts";
import { domainOf, type EmailAddress } from "../../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../../core/mail/mailboxName.ts";
import type { SignUpMode, SignUpPolicy } from "../../../platform/config/signUpSettings.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";

/** Returns the sign-up mode that applies to an address. */
export const admissionOf = (policy: SignUpPolicy, email: EmailAddress): SignUpMode => {
  const domain = toDomainName(domainOf(email));
  const isAllowed = policy.allowed.some(
    (entry) => isSameMailbox(entry, email) || (domain !== null && isNameOf(entry, domain)),
  );
  return isAllowed ? "open" : policy.mode;
};

/** The 403 for a new address on a server that takes no new accounts. */
export const signUpClosed = (): UseCaseError =>
  new UseCaseError("forbidden", "This server takes no new accounts. Ask the operator.");
