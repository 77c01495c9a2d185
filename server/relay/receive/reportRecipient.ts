import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { fieldValues } from "../../mime/mailFields.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { RawMailWithHeader } from "../decision/arrivedMail.ts";
import { isProvenEnvelope } from "../decision/provenAuthor.ts";

/** True if a list, a bulk mailer or a program sent the mail (RFC 3834, 2; RFC 2919). */
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
  maskDomain: DomainName,
): string | null => {
  const { sender: address } = mail.envelope;
  if (evidence === null || !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address)) return null;
  if (
    isAtDomain(address, maskDomain) ||
    !isProvenEnvelope(evidence, address, mail.sender) ||
    isAutomated(mail)
  )
    return null;
  return address;
};
