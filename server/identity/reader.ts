import { domainOf, type EmailAddress, localPartOf } from "../../core/mail/emailAddress.ts";

/** Here dots in the local part mean nothing, and the two names are one. */
const dotless = new Set(["gmail.com", "googlemail.com"]);

/**
 * Under which name all mailbox keys are counted that one person reads: "me+shop@…" is read by "me@…" (RFC 5233). For
 * limits of mail alone, never to tell who somebody is: other providers may see it otherwise.
 */
export const readerOf = (emailKey: EmailAddress): EmailAddress => {
  const [name = "", domain] = [localPartOf(emailKey).split("+", 1)[0], domainOf(emailKey)];
  if (name === "") return emailKey;
  return dotless.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
};
