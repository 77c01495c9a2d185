import { isNameOf, toDomainName } from "../../mail/domainName.ts";
import { domainOf, localPartOf } from "../../mail/emailAddress.ts";
import { isSameMailbox } from "../../mail/mailboxName.ts";
import type { ParsedMail } from "../../mail/parsedMail.ts";
import type { Reason } from "./explanation.ts";
import type { AccountFacts, MaskFacts } from "./facts.ts";

/** Headers that only lists and automated senders write (RFC 2369, RFC 2919, and common programs). */
const automatedHeaders = new Set([
  "list-id",
  "list-help",
  "list-subscribe",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-post",
  "list-owner",
  "list-archive",
  "x-autoreply",
  "x-autorespond",
  "x-auto-reply-from",
  "x-mailing-list",
  "x-loop",
  "feedback-id",
]);

/** Headers that indicate an automated sender with some of their values. */
const automatedValues: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["auto-submitted", (value) => !/^\s*no\s*(?:;|$)/i.test(value)],
  ["precedence", (value) => /^\s*(?:bulk|junk|list|auto_reply)\b/i.test(value)],
  ["x-auto-response-suppress", (value) => /\b(?:all|oof|autoreply)\b/i.test(value)],
  ["return-path", (value) => /^\s*(?:<\s*>)?\s*$/.test(value)],
  ["content-type", (value) => /^\s*multipart\/report\b/i.test(value)],
]);

/** Mailboxes in which nobody reads replies, or that reply automatically (RFC 3834, 2). */
const automatedMailbox =
  /^(?:mailer-daemon|postmaster|majordomo|listserv|(?:.*[-_.+])?(?:no|do-?not|donot)[-_.]?reply(?:[-_.+].*)?|owner-.*|.*-(?:request|owner|bounces?)|bounces?(?:[-_.+].*)?)$/;

const isAutomated = ({ headers, from }: ParsedMail): boolean =>
  automatedMailbox.test(localPartOf(from?.address ?? "").toLowerCase()) ||
  headers.some(
    ({ name, value }) => automatedHeaders.has(name) || automatedValues.get(name)?.(value) === true,
  );

/**
 * Returns why a mail must not be answered automatically (RFC 3834, D32); null when it may be. The caller
 * enforces the limits that need memory, such as one reply per sender in 7 days.
 */
export const findReplyObstacle = (
  mail: ParsedMail,
  mask: MaskFacts,
  account: AccountFacts,
): Reason | null => {
  const address = mail.from?.address ?? "";
  if (!address.includes("@")) return "no-sender";
  const domain = toDomainName(domainOf(address));
  if (domain !== null && account.ownDomains.some((own) => isNameOf(own, domain))) return "own-address";
  const ownAddresses = [mask.forwardTo, ...account.confirmed];
  if (ownAddresses.some((own) => isSameMailbox(own, address))) return "own-address";
  if (isAutomated(mail)) return "machine";
  const isAddressed = mail.to.some((to) => isSameMailbox(to, mask.maskEmail));
  return isAddressed ? null : "not-addressed";
};
