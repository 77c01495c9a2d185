import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { type EmailAddress, localPartOf } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { correspondentInTag, isUsualTag, parseTagged } from "../../../core/mail/taggedAddress.ts";
import { parseReverseLocalPart } from "../../features/correspondents/reverseAddress.ts";
import type { MailRoute } from "../mailRoute.ts";

/** A mask whose address a recipient has with a tag. */
export interface TaggedMask {
  /** Takes tags where its owner wants that and the tag is one of usual length. */
  readonly route: MailRoute;
  readonly tag: string;
  /** Whom the tag names; null for an ordinary one. */
  readonly correspondent: EmailAddress | null;
}

interface TaggedMaskDeps {
  readonly maskDomain: DomainName;
  readonly findMaskOf: (address: string) => Promise<MailRoute | null>;
}

/** Whether an address leads neither back to a mask nor through a mask to somebody else. */
const isForeign = (address: EmailAddress, { maskEmail }: MailRoute, maskDomain: DomainName): boolean => {
  const isReverse = isAtDomain(address, maskDomain) && parseReverseLocalPart(localPartOf(address)) !== null;
  return !isReverse && !isSameMailbox(address, maskEmail);
};

/** Returns the mask whose name an address has before a tag, where no mask has all of it; null for none that takes the tag. */
export const findTaggedMask = async (
  { maskDomain, findMaskOf }: TaggedMaskDeps,
  address: EmailAddress,
): Promise<TaggedMask | null> => {
  const tagged = parseTagged(address);
  if (tagged === null || (await findMaskOf(address))) return null;
  const route = await findMaskOf(tagged.base);
  if (!route) return null;
  const { tag } = tagged;
  const named = correspondentInTag(tag);
  const correspondent = named !== null && isForeign(named, route, maskDomain) ? named : null;
  const takesTags = route.takesTags && isUsualTag(tagged);
  return correspondent !== null || takesTags ? { route: { ...route, takesTags }, tag, correspondent } : null;
};
