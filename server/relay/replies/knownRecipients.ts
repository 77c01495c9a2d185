import type { DomainName } from "../../../core/mail/domainName.ts";
import type { ReverseAddress, ReverseAddresses } from "../../features/correspondents/reverseAddresses.ts";
import type { Database } from "../../platform/store/database.ts";
import { findReplyMask, type ReplyMask } from "./replyQueries.ts";

/** The recipients of a reply, and the mask of the first one. */
export interface KnownRecipients {
  readonly mask: ReplyMask;
  readonly recipients: readonly ReverseAddress[];
}

/** Finds whom reverse addresses lead to; null when one is not known any more, or its mask is not. */
export const findKnownRecipients = async (
  {
    database,
    reverseAddresses,
    maskDomain,
  }: {
    readonly database: Database;
    readonly reverseAddresses: Pick<ReverseAddresses, "find">;
    readonly maskDomain: DomainName;
  },
  localParts: readonly string[],
): Promise<KnownRecipients | null> => {
  const found = await Promise.all(localParts.map((localPart) => reverseAddresses.find(localPart)));
  const recipients = found.filter((reverse) => reverse !== null);
  const [first] = recipients;
  if (!first || recipients.length < found.length) return null;
  const mask = await findReplyMask(database, first.maskId, maskDomain);
  return mask && { mask, recipients };
};
