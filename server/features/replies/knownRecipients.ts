import type { DomainName } from "../../../core/mail/domainName.ts";
import type { EmailAddress } from "../../../core/mail/emailAddress.ts";
import type { Database } from "../../platform/store/database.ts";
import type { MaskOwner, ReverseAddress, ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import { findReplyMask, type ReplyMask } from "./replyQueries.ts";

/** Somebody whom the tag of an address of a mask names: `shop+user=domain.example@masks.example`. */
export interface TaggedCorrespondent extends MaskOwner {
  readonly address: EmailAddress;
}

/** The recipients of a reply, and the mask of the first one. */
export interface KnownRecipients {
  readonly mask: ReplyMask;
  readonly recipients: readonly ReverseAddress[];
}

/**
 * Finds whom reverse addresses lead to, and makes those of `tagged`, which work once a reply is stored; null when one is not
 * known any more, or its mask is not.
 */
export const findKnownRecipients = async (
  {
    database,
    reverseAddresses,
    maskDomain,
  }: {
    readonly database: Database;
    readonly reverseAddresses: Pick<ReverseAddresses, "find" | "prepare">;
    readonly maskDomain: DomainName;
  },
  localParts: readonly string[],
  tagged: readonly TaggedCorrespondent[] = [],
): Promise<KnownRecipients | null> => {
  const found: (ReverseAddress | null)[] = await Promise.all(
    localParts.map((localPart) => reverseAddresses.find(localPart)),
  );
  for (const { address, ...owner } of tagged)
    found.push(...(await reverseAddresses.prepare(owner, [{ name: "", address }])));
  const recipients = found.filter((reverse) => reverse !== null);
  const [first] = recipients;
  if (!first || recipients.length < found.length) return null;
  const mask = await findReplyMask(database, first.maskId, maskDomain);
  return mask && { mask, recipients };
};
