import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Mask, MaskId, NewMask } from "../../core/masks/mask.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { labelOf, limitsOf, mayChoosePrefix, parseTier, type Tier } from "../../core/tiers/tier.ts";
import { fieldError, HttpError, invalidSession } from "../http/httpError.ts";
import type { RecordAnswer } from "../http/idempotency.ts";
import { noRules } from "../rules/ruleCache.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/id.ts";
import { adjustMaskCount } from "../store/users.ts";
import { resolveDestination } from "./destination.ts";
import { reserveAddress } from "./maskAddress.ts";
import { newColumns } from "./maskColumns.ts";
import { type MaskAuthor, type MaskDeps, recordMaskChange } from "./maskDeps.ts";
import { findMask, insertMask, linkAddress, toMask, updateMask } from "./maskQueries.ts";
import { type MaskWithRules, mergeRulesIntoMask, parseRules } from "./mergeRulesIntoMask.ts";

const maxLength = 200;

const textField = (field: "suggestionId" | "suggestionCategory", text: string | undefined) => {
  if (text === undefined) return {};
  if (text.length > maxLength)
    throw fieldError(400, `metadata.${field}`, `This must be ${maxLength} characters or less.`);
  return { [field]: text };
};

/** Unknown fields of the metadata are dropped. */
const toMetadata = (sent: NewMask["metadata"]): NonNullable<NewMask["metadata"]> => ({
  ...textField("suggestionId", sent?.suggestionId),
  ...textField("suggestionCategory", sent?.suggestionCategory),
});

const maskLimitReached = (tier: Tier, masks: number): HttpError =>
  new HttpError(
    403,
    `The ${labelOf[tier]} plan has ${masks} masks. Delete one, or upgrade your plan to create more.`,
  );

/** The error for activating more masks than the plan has, possible after a change to a smaller plan. */
export const activeLimitReached = (tier: Tier, masks: number): HttpError =>
  new HttpError(
    403,
    `The ${labelOf[tier]} plan has ${masks} active masks. Switch another one off first, or upgrade your plan.`,
  );

/** The error for a prefix that the user's plan does not include (D16). */
export const prefixNotInPlan = (tier: Tier): HttpError =>
  fieldError(
    403,
    "customPrefix",
    tier === "business"
      ? "Custom prefixes are part of the Premium plan only. Leave the prefix empty."
      : "Custom prefixes are part of the Premium plan. Leave the prefix empty, or upgrade your plan.",
  );

/** Counts a mask to be created; throws when the plan has no more (D34). A rollback also undoes the count. */
export const takeMaskPlace = async (db: Db, userId: string): Promise<Tier> => {
  const user = await adjustMaskCount(db, userId, 1);
  if (!user) throw invalidSession();
  const tier = parseTier(user.tier);
  const { masks } = limitsOf[tier];
  if (masks !== null && user.mask_count > masks) throw maskLimitReached(tier, masks);
  return tier;
};

const storeRules = async (
  db: Db,
  deps: MaskDeps,
  mask: MaskWithRules,
  rules: readonly Rule[] = [],
): Promise<void> => {
  if (rules.length === 0) return;
  const stored = await mergeRulesIntoMask(db, deps, mask, { rules, baseVersion: null });
  await updateMask(db, mask.user_id, mask.id, { rules: stored }, deps.clock.now());
};

/**
 * Creates a mask with a new address. One transaction contains all changes, so that parallel requests never
 * exceed the plan's number of masks.
 */
export const createCreateMask =
  (deps: MaskDeps) =>
  async (author: MaskAuthor, newMask: NewMask, keep: RecordAnswer<Mask>): Promise<Mask> => {
    const { userId } = author;
    const { database, clock, random, sender, feed, delivery } = deps;
    const now = clock.now();
    const metadata = toMetadata(newMask.metadata);
    const prefix = newMask.customPrefix ?? null;
    const rules = newMask.settings?.rules && (await parseRules(deps, newMask.settings.rules));
    const mask = await database.transaction(async (db) => {
      const tier = await takeMaskPlace(db, userId);
      if (prefix !== null && !mayChoosePrefix(tier)) throw prefixNotInPlan(tier);
      const destination = await resolveDestination(db, deps, userId, newMask.forwardTo);
      const email = await reserveAddress(db, { random, now }, sender.maskDomain, prefix);
      const id: MaskId = newId(random);
      await insertMask(db, {
        id,
        user_id: userId,
        destination_id: destination.id,
        email,
        ...newColumns(newMask),
        custom_prefix: prefix,
        rules: noRules,
        metadata: JSON.stringify(metadata),
        created_at: now,
        updated_at: now,
      });
      await linkAddress(db, mailboxKey(email), id);
      await storeRules(db, deps, { id, user_id: userId, rules: noRules }, rules);
      await recordMaskChange(db, author, "created", id, now);
      const row = await findMask(db, userId, id);
      if (!row) throw new Error("the created mask cannot be read");
      return keep(db, toMask(row));
    });
    feed.wake();
    delivery.wake();
    return mask;
  };
