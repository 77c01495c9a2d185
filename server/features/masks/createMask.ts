import { isSameDomain } from "../../../core/mail/domainName.ts";
import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { descriptionOfAddress, type Mask, type MaskId, type NewMask } from "../../../core/masks/mask.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { limitsOf, parseTier, type Tier } from "../../../core/tiers/tier.ts";
import { fieldError, invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { adjustMaskCount, lockUser, type UserRow } from "../../platform/store/users.ts";
import { noRules } from "../../relay/evaluate/ruleCache.ts";
import { assertMayShowCodes } from "../codes/showCodes.ts";
import { resolveDestination } from "../destinations/destination.ts";
import { saveFurtherDestinations } from "../destinations/furtherDestinations.ts";
import { type MaskAuthor, recordMaskChange, updateMask } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { type MaskWithRules, mergeRulesIntoMask, parseRules } from "../rules/mergeRulesIntoMask.ts";
import { saveSenders } from "../senders/saveSenders.ts";
import { assertMayTakeAddress } from "./addressRight.ts";
import { assertMayKeepInApp } from "./keptInApp.ts";
import { withRegistrableSite } from "./madeFor.ts";
import { chosenFormat, reserveAddress } from "./maskAddress.ts";
import { newColumns } from "./maskColumns.ts";
import { expiryColumns } from "./maskExpiry.ts";
import { assertMayHavePrefix, maskLimitReached } from "./maskLimits.ts";
import { type FullMask, findMask, insertMask, linkAddress, toMask } from "./maskQueries.ts";
import { claimChosenAddress } from "./masksOfDomain.ts";

const maxLength = 200;

const textField = (field: "suggestionId" | "suggestionCategory", text: string | undefined) => {
  if (text === undefined) return {};
  if (text.length > maxLength)
    throw fieldError("invalid", `metadata.${field}`, `This must be ${maxLength} characters or less.`);
  return { [field]: text };
};

const requestIdField = (requestId: string | undefined) => {
  if (requestId === undefined) return {};
  if (!/^[0-9a-f]{32}$/.test(requestId))
    throw fieldError("invalid", "metadata.requestId", "This must be 32 digits from 0 to 9 and a to f.");
  return { requestId };
};

/** Returns the mask that was made for a request before; the lock of the user keeps two requests apart. */
const findRequested = async (
  db: Db,
  userId: string,
  requestId: string | undefined,
): Promise<FullMask | undefined> => {
  if (requestId === undefined) return undefined;
  await lockUser(db, userId);
  const known = await db
    .selectFrom("masks")
    .select(["id", "deleted_at"])
    .where("user_id", "=", userId)
    .where("metadata", "like", `%"requestId":"${requestId}"%`)
    .executeTakeFirst();
  if (known && known.deleted_at !== null)
    throw new UseCaseError("conflict", "This mask was created already, and has been deleted since.");
  return known && findMask(db, userId, known.id);
};

/** Unknown fields of the metadata are dropped. */
const toMetadata = (sent: NewMask["metadata"]): NonNullable<NewMask["metadata"]> => ({
  ...textField("suggestionId", sent?.suggestionId),
  ...textField("suggestionCategory", sent?.suggestionCategory),
  ...requestIdField(sent?.requestId),
});

/** Counts a mask to be created; throws what `refuse` says over the limit (D34). A rollback also undoes the count. */
export const takeMaskPlace = async (
  db: Db,
  userId: string,
  refuse: (tier: Tier, masks: number) => Error,
): Promise<UserRow> => {
  const user = await adjustMaskCount(db, userId, 1);
  if (!user) throw invalidSession();
  const tier = parseTier(user.tier);
  const { masks } = limitsOf[tier];
  if (masks !== null && user.mask_count > masks) throw refuse(tier, masks);
  return user;
};

const storeRules = async (
  db: Db,
  deps: MaskDeps,
  author: MaskAuthor,
  mask: MaskWithRules,
  rules: readonly Rule[] = [],
): Promise<void> => {
  if (rules.length === 0) return;
  const stored = await mergeRulesIntoMask(db, deps, author, mask, { rules, baseVersion: null });
  await updateMask(db, mask.user_id, mask.id, { rules: stored }, deps.clock.now());
};

/**
 * Gives a new mask the address that its owner has chosen at one of their domains, one that was offered with its random
 * part, or a generated one.
 */
const claimNewAddress = async (
  db: Db,
  { random, sender }: MaskDeps,
  user: UserRow,
  { domain: named, localPart, customPrefix: prefix = null, format }: NewMask,
  { now, offered }: { readonly now: number; readonly offered: EmailAddress | undefined },
): Promise<EmailAddress> => {
  const domain = named ?? sender.maskDomain;
  const isOwn = !isSameDomain(domain, sender.maskDomain);
  if (localPart !== undefined && named !== undefined && !isOwn)
    throw fieldError(
      "invalid",
      "localPart",
      `Names of your own are possible at your own domains. At ${domain}, leave the name out.`,
    );
  const parts = { prefix, format: format ?? chosenFormat(user).maskFormat };
  const chosen = offered ?? (isOwn && localPart !== undefined ? `${localPart}@${domain}` : undefined);
  const email = chosen ?? (await reserveAddress(db, { random, now }, domain, parts));
  await assertMayTakeAddress(db, { userId: user.id, email }, { maskDomain: sender.maskDomain, now });
  if (chosen !== undefined) await claimChosenAddress(db, email, now);
  return email;
};

/** Returns a mask at the domain of the API token, if it has one; throws a 403 when another one is asked for. */
const atAllowedDomain = ({ token }: MaskAuthor, newMask: NewMask): NewMask => {
  const domain = token?.domain ?? null;
  if (domain === null) return newMask;
  if (newMask.domain !== undefined && !isSameDomain(newMask.domain, domain))
    throw fieldError("forbidden", "domain", `This API token can create masks at ${domain} only.`);
  return { ...newMask, domain };
};

/**
 * Checks and prepares a mask with a new address, which is its description where that is empty. One transaction contains all
 * changes, so that parallel requests never exceed the plan's number of masks. `offered` is an address at the mask's domain
 * whose random part this server has chosen before.
 */
export const createMask = async (
  deps: MaskDeps,
  author: MaskAuthor,
  asked: NewMask,
  offered?: EmailAddress,
): Promise<Write<Mask>> => {
  const newMask = atAllowedDomain(author, asked);
  const { userId } = author;
  const { clock, random, delivery, senderLists } = deps;
  const now = clock.now();
  const metadata = toMetadata(newMask.metadata);
  const prefix = newMask.customPrefix ?? null;
  const rules = newMask.settings?.rules && (await parseRules(deps, newMask.settings.rules));
  const make = async (tx: Db): Promise<Mask> => {
    const user = await takeMaskPlace(tx, userId, maskLimitReached(deps));
    assertMayHavePrefix(deps, parseTier(user.tier), prefix);
    await assertMayKeepInApp(tx, userId, newMask.settings);
    if (newMask.settings?.showCodes) await assertMayShowCodes(tx, author, now);
    const forwardTo = newMask.destinations?.[0] ?? newMask.forwardTo;
    const destination = await resolveDestination(tx, deps, author, { forwardTo });
    const email = await claimNewAddress(tx, deps, user, newMask, { now, offered });
    const description = newMask.description || descriptionOfAddress(email);
    const id: MaskId = newId(random);
    await insertMask(tx, {
      id,
      user_id: userId,
      destination_id: destination.id,
      email,
      ...newColumns(withRegistrableSite({ ...newMask, description })),
      ...(newMask.expiry && expiryColumns(newMask.expiry, now)),
      custom_prefix: prefix,
      rules: noRules,
      metadata: JSON.stringify(metadata),
      made_by_token: author.token?.id ?? null,
      created_at: now,
      updated_at: now,
    });
    await linkAddress(tx, mailboxKey(email), id);
    if (newMask.destinations)
      await saveFurtherDestinations(tx, deps, author, { maskId: id, destinations: newMask.destinations });
    if (newMask.senders) await saveSenders(tx, deps, { userId, maskId: id }, newMask.senders, now);
    await storeRules(tx, deps, author, { id, user_id: userId, rules: noRules }, rules);
    await recordMaskChange(tx, author, "created", id, now);
    const row = await findMask(tx, userId, id);
    if (!row) throw new Error("the created mask cannot be read");
    return toMask(row, senderLists);
  };
  return async (tx) => {
    afterCommit(tx, delivery.wake);
    const requested = await findRequested(tx, userId, metadata.requestId);
    return requested ? toMask(requested, senderLists) : make(tx);
  };
};
