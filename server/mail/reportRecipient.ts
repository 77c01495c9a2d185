import { domainOf } from "../../core/mail/emailAddress.ts";
import type { Evidence } from "../proof/evidence.ts";
import { fieldValues } from "../replies/mailFields.ts";
import type { RawMailWithHeader } from "./planDelivery.ts";

const isSameOrSubdomain = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** Whether the envelope sender itself is authenticated: by SPF, or because it belongs to the domain that signed. */
const isAuthenticated = (
  { standing, alignedBy }: Evidence,
  envelopeDomain: string,
  author: string,
): boolean =>
  standing === "proven" &&
  (alignedBy.includes("spf") || (alignedBy.includes("dkim") && isSameOrSubdomain(envelopeDomain, author)));

/** Whether a list, a bulk mailer or a program sent the mail (RFC 3834, 2; RFC 2919). */
const isAutomated = ({ content, header }: RawMailWithHeader): boolean => {
  const mail = { content: content.head, header };
  const [submitted = "no"] = fieldValues(mail, "auto-submitted");
  const [precedence = ""] = fieldValues(mail, "precedence");
  return (
    header.fields.some(({ name }) => name.startsWith("list-")) ||
    !/^no\b/i.test(submitted) ||
    /^(?:bulk|junk|list|auto_reply)\b/i.test(precedence)
  );
};

/**
 * Returns the envelope sender of a mail if a report about a failed delivery may be sent to it (RFC 3464, RFC 5321,
 * 6.1); null for a sender that is not authenticated, the null sender, lists and programs.
 */
export const reportRecipient = (
  mail: RawMailWithHeader,
  evidence: Evidence | null,
  maskDomain: string,
): string | null => {
  const { sender: address } = mail.envelope;
  if (evidence === null || !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address)) return null;
  const domain = domainOf(address).toLowerCase();
  const author = domainOf(mail.sender?.address ?? "").toLowerCase();
  if (domain === maskDomain || !isAuthenticated(evidence, domain, author) || isAutomated(mail)) return null;
  return address;
};
