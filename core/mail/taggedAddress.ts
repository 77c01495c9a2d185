import { toAnswerable } from "./answerableAddress.ts";
import { toDomainName } from "./domainName.ts";
import { domainOf, type EmailAddress, isEmailAddress, localPartOf } from "./emailAddress.ts";

/** An address with a tag, such as "shop+news@masks.example" (RFC 5233). */
export interface TaggedAddress {
  /** "shop@masks.example". */
  readonly base: EmailAddress;
  /** "news". */
  readonly tag: string;
}

/** Returns the parts of an address with a tag; null for one without. */
export const parseTagged = (address: EmailAddress): TaggedAddress | null => {
  const localPart = localPartOf(address);
  const plus = localPart.indexOf("+");
  if (plus < 1 || plus === localPart.length - 1) return null;
  return { base: `${localPart.slice(0, plus)}@${domainOf(address)}`, tag: localPart.slice(plus + 1) };
};

/** True if a tag may stand in an address that is as long as the standard allows. */
export const isUsualTag = ({ base, tag }: TaggedAddress): boolean =>
  isEmailAddress(`${localPartOf(base)}+${tag}@${domainOf(base)}`);

/** Returns whom a tag names as programs of addy.io write it, "user=domain.example"; null for another tag. */
export const correspondentInTag = (tag: string): EmailAddress | null => {
  const at = tag.lastIndexOf("=");
  if (at < 1) return null;
  const address = toAnswerable(`${tag.slice(0, at)}@${tag.slice(at + 1)}`);
  if (address === null) return null;
  return toDomainName(domainOf(address))?.includes(".") ? address : null;
};
