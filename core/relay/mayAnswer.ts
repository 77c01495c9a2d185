import { domainOf, localPartOf, mailboxKey } from "../mail/emailAddress.ts";
import type { Reason } from "./explanation.ts";
import type { AccountFacts, MaskFacts } from "./facts.ts";
import type { Message } from "./message.ts";

/** Headers that only lists and machines write (RFC 2369, RFC 2919, and what programs are known for). */
const machineHeaders = new Set([
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

/** Headers of which some values say so. */
const machineValues: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["auto-submitted", (value) => !/^\s*no\s*(?:;|$)/i.test(value)],
  ["precedence", (value) => /^\s*(?:bulk|junk|list|auto_reply)\b/i.test(value)],
  ["x-auto-response-suppress", (value) => /\b(?:all|oof|autoreply)\b/i.test(value)],
  ["return-path", (value) => /^\s*(?:<\s*>)?\s*$/.test(value)],
  ["content-type", (value) => /^\s*multipart\/report\b/i.test(value)],
]);

/** Mailboxes nobody reads answers in, or that answer by themselves (RFC 3834, 2). */
const machineMailbox =
  /^(?:mailer-daemon|postmaster|majordomo|listserv|(?:.*[-_.+])?(?:no|do-?not|donot)[-_.]?reply(?:[-_.+].*)?|owner-.*|.*-(?:request|owner|bounces?)|bounces?(?:[-_.+].*)?)$/;

const isMachine = ({ headers, from }: Message): boolean =>
  machineMailbox.test(localPartOf(from?.address ?? "").toLowerCase()) ||
  headers.some(({ name, value }) => machineHeaders.has(name) || machineValues.get(name)?.(value) === true);

/**
 * Why a mail must not be answered by itself (RFC 3834, D32); null when it may be. That a sender is answered once in 7
 * days, and how often anybody is, is for those to say who remember.
 */
export const whyNotAnswer = (message: Message, mask: MaskFacts, account: AccountFacts): Reason | null => {
  const address = message.from?.address ?? "";
  if (!address.includes("@")) return "no-sender";
  const domain = domainOf(mailboxKey(address));
  if (account.ownDomains.some((own) => mailboxKey(own) === domain)) return "own-address";
  const ours = [mask.forwardTo, ...account.confirmed].map(mailboxKey);
  if (ours.includes(mailboxKey(address))) return "own-address";
  if (isMachine(message)) return "machine";
  const isAddressed = message.to.some((to) => mailboxKey(to) === mailboxKey(mask.maskEmail));
  return isAddressed ? null : "not-addressed";
};
