import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Mask, MaskId, NewMask } from "../../core/masks/mask.ts";
import type { Rule } from "../../core/rules/rule.ts";
import { labelOf, limitsOf, mayChoosePrefix, type Tier, tierNamed } from "../../core/tiers/tier.ts";
import type { Keep } from "../http/once.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import { invalidSession } from "../identity/authenticate.ts";
import { noRules } from "../relay/ruleBook.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/id.ts";
import { insertMask, linkAddress, maskOf, updateMask } from "../store/masks.ts";
import { countMasks } from "../store/users.ts";
import { destinationFor } from "./destination.ts";
import { reserveAddress } from "./maskAddress.ts";
import { maskAnswer } from "./maskAnswer.ts";
import { metadataOf } from "./maskMetadata.ts";
import { type MaskParts, maskChanged } from "./maskParts.ts";
import { mergeIntoMask, type RuledMask, readSentRules } from "./saveRules.ts";

const maskLimit = (tier: Tier, masks: number): Refusal =>
  new Refusal(
    403,
    `The ${labelOf[tier]} plan has ${masks} masks. Delete one, or upgrade your plan to create more.`,
  );

/** The no to one more active mask, after a change to a plan with fewer masks than there are. */
export const activeLimit = (tier: Tier, masks: number): Refusal =>
  new Refusal(
    403,
    `The ${labelOf[tier]} plan has ${masks} active masks. Switch another one off first, or upgrade your plan.`,
  );

/** The no to a prefix that the user's plan does not include (D16). */
export const prefixNeedsPlan = (): Refusal =>
  refusedField(
    403,
    "customPrefix",
    `Custom prefixes are part of the Premium plan. Leave the prefix empty, or upgrade your plan.`,
  );

/** Counts the mask that is about to be made; throws when the plan has no more (D34). The count rolls back with it. */
const takePlace = async (db: Db, userId: string): Promise<Tier> => {
  const user = await countMasks(db, userId, 1);
  if (!user) throw invalidSession();
  const tier = tierNamed(user.tier);
  const { masks } = limitsOf[tier];
  if (masks !== null && user.mask_count > masks) throw maskLimit(tier, masks);
  return tier;
};

const putRules = async (
  db: Db,
  parts: MaskParts,
  made: RuledMask,
  rules: readonly Rule[] = [],
): Promise<void> => {
  if (rules.length === 0) return;
  const kept = await mergeIntoMask(db, parts, made, { rules, from: null });
  await updateMask(db, made.user_id, made.id, { rules: kept });
};

/**
 * Makes a mask with a new address that nobody ever had. Exactly the plan's number of masks exists, also under parallel
 * creation. Everything happens in one transaction: place, address, mask, rules,
 * confirmation mails, event.
 */
export const makeCreateMask =
  (parts: MaskParts) =>
  async (userId: string, wanted: NewMask, keep: Keep<Mask>): Promise<Mask> => {
    const { database, clock, random, sender, feed, delivery } = parts;
    const now = clock.now();
    const metadata = metadataOf(wanted.metadata);
    const prefix = wanted.customPrefix ?? null;
    const rules = wanted.settings?.rules && (await readSentRules(parts, wanted.settings.rules));
    const mask = await database.transaction(async (db) => {
      const tier = await takePlace(db, userId);
      if (prefix !== null && !mayChoosePrefix(tier)) throw prefixNeedsPlan();
      const destination = await destinationFor(db, parts, userId, wanted.forwardTo);
      const email = await reserveAddress(db, { random, now }, sender.maskDomain, prefix);
      const id: MaskId = newId(random);
      await insertMask(db, {
        id,
        user_id: userId,
        destination_id: destination.id,
        email,
        description: wanted.description,
        active: (wanted.active ?? true) ? 1 : 0,
        custom_prefix: prefix,
        spam_filter: wanted.settings?.spamFilter ? 1 : 0,
        rules: noRules,
        metadata: JSON.stringify(metadata),
        created_at: now,
        updated_at: now,
      });
      await linkAddress(db, mailboxKey(email), id);
      await putRules(db, parts, { id, user_id: userId, rules: noRules }, rules);
      await maskChanged(db, userId, "created", id, now);
      const row = await maskOf(db, userId, id);
      if (!row) throw new Error("a mask just made is not there");
      return keep(db, maskAnswer(row));
    });
    feed.nudge();
    delivery.wake();
    return mask;
  };
