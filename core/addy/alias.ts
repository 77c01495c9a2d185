import * as t from "io-ts";
import { domainOf, localPartOf } from "../mail/emailAddress.ts";
import { siteInText } from "../masks/madeFor.ts";
import { isActive, type Mask, type MaskEdit, maxDescriptionLength, statisticsOf } from "../masks/mask.ts";
import { Recipient, type RecipientSource, toRecipient } from "./recipient.ts";
import { NullableText, timeText, timeTextOrNull } from "./values.ts";

/** A mask, as addy.io's clients read it. */
export const Alias = t.type({
  id: t.string,
  user_id: t.string,
  aliasable_id: NullableText,
  aliasable_type: NullableText,
  local_part: t.string,
  extension: NullableText,
  domain: t.string,
  email: t.string,
  active: t.boolean,
  pinned: t.boolean,
  description: NullableText,
  from_name: NullableText,
  attached_recipients_only: t.boolean,
  emails_forwarded: t.number,
  emails_blocked: t.number,
  emails_replied: t.number,
  emails_sent: t.number,
  recipients: t.readonlyArray(Recipient),
  last_forwarded: NullableText,
  last_blocked: NullableText,
  last_replied: NullableText,
  last_sent: NullableText,
  created_at: t.string,
  updated_at: t.string,
  deleted_at: NullableText,
});
export type Alias = t.TypeOf<typeof Alias>;

/** A mask and what is known of it besides; times are in milliseconds since 1970. */
export interface AliasSource {
  readonly userId: string;
  readonly mask: Mask;
  /** Where its mail goes, the first one first; empty for a program that may not know that. */
  readonly destinations: readonly Omit<RecipientSource, "userId">[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
  readonly lastForwardedAt: number | null;
  readonly lastBlockedAt: number | null;
  readonly lastSentAt: number | null;
}

/** Each field of an alias, and where it comes from. */
const aliasFields: { readonly [N in keyof Alias]: (source: AliasSource) => Alias[N] } = {
  id: ({ mask }) => mask.id,
  user_id: ({ userId }) => userId,
  // A mask belongs to its user alone, whatever domain it is at.
  aliasable_id: () => null,
  aliasable_type: () => null,
  local_part: ({ mask }) => localPartOf(mask.maskEmail),
  extension: () => null,
  domain: ({ mask }) => domainOf(mask.maskEmail),
  email: ({ mask }) => mask.maskEmail,
  active: ({ mask }) => isActive(mask),
  pinned: ({ mask }) => mask.pinned ?? false,
  description: ({ mask }) => mask.description || null,
  // What a mask sends has the sender's own name.
  from_name: () => null,
  attached_recipients_only: () => false,
  emails_forwarded: ({ mask }) => statisticsOf(mask).totalForwarded,
  emails_blocked: ({ mask }) => statisticsOf(mask).spamBlocked,
  // Replies and new mails from a mask are counted together.
  emails_replied: ({ mask }) => statisticsOf(mask).totalSent,
  emails_sent: () => 0,
  recipients: ({ destinations, userId }) => destinations.map((one) => toRecipient({ ...one, userId })),
  last_forwarded: ({ lastForwardedAt }) => timeTextOrNull(lastForwardedAt),
  last_blocked: ({ lastBlockedAt }) => timeTextOrNull(lastBlockedAt),
  last_replied: ({ lastSentAt }) => timeTextOrNull(lastSentAt),
  last_sent: () => null,
  created_at: ({ createdAt }) => timeText(createdAt),
  updated_at: ({ updatedAt }) => timeText(updatedAt),
  deleted_at: ({ deletedAt }) => timeTextOrNull(deletedAt),
};

export const toAlias = (source: AliasSource): Alias =>
  Object.fromEntries(Object.entries(aliasFields).map(([name, field]) => [name, field(source)])) as Alias;

/** The columns that clients sort by; masks have one count for what is sent from them. */
export const aliasOrders = {
  local_part: "localPart",
  domain: "domain",
  email: "email",
  emails_forwarded: "forwarded",
  emails_blocked: "blocked",
  emails_replied: "sent",
  emails_sent: "sent",
  last_forwarded: "lastForwarded",
  last_blocked: "lastBlocked",
  last_replied: "lastSent",
  last_sent: "lastSent",
  last_used: "lastUsed",
  active: "active",
  created_at: "created",
  updated_at: "updated",
  deleted_at: "deleted",
} as const;

const endOfText = (text: string, most: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;

/**
 * Returns what a client's description is in a mask: the beginning is the description, the rest of a long one the note.
 * Where it is empty, the description is `otherwise`.
 */
export const fieldsOfDescription = (
  text: string,
  otherwise: string,
): Pick<MaskEdit, "note"> & { readonly description: string } => {
  const given = text.trim();
  if (given.length <= maxDescriptionLength)
    return { description: given || otherwise.slice(0, maxDescriptionLength) };
  const end = endOfText(given, maxDescriptionLength);
  return { description: given.slice(0, end), note: given.slice(end).trim() };
};

/** Returns the site that a password manager names in a description ("Website: shop.example."); empty for none. */
export const siteOfDescription = (text: string): string => siteInText(text) ?? "";
