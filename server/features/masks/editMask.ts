import type { Selectable, Updateable } from "kysely";
import { toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Mask, MaskEdit, MaskId } from "../../../core/masks/mask.ts";
import { limitsOf, parseTier } from "../../../core/tiers/tier.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import { findUser, lockUser } from "../../platform/store/users.ts";
import { deleteHiddenCodes } from "../codes/codeQueries.ts";
import { assertMayShowCodesOf } from "../codes/showCodes.ts";
import { resolveDestination } from "../destinations/destination.ts";
import { findMailboxesOfMask, saveFurtherDestinations } from "../destinations/furtherDestinations.ts";
import {
  type MaskAuthor,
  maskNotFound,
  recordMaskChange,
  recordRulesChange,
  updateMask,
} from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { mergeRulesIntoMask, parseRules } from "../rules/mergeRulesIntoMask.ts";
import { saveSenders } from "../senders/saveSenders.ts";
import { assertMayTakeAddress } from "./addressRight.ts";
import { assertMayKeepInApp } from "./keptInApp.ts";
import { withRegistrableSite } from "./madeFor.ts";
import { type AddressParts, chosenFormat, findEarlierAddress, reserveAddress } from "./maskAddress.ts";
import { changedColumns } from "./maskColumns.ts";
import { expiryColumns, isSameExpiry } from "./maskExpiry.ts";
import { activeLimitReached, assertMayHavePrefix } from "./maskLimits.ts";
import { countActiveMasks, findMask, findMaskAddresses, linkAddress, toMask } from "./maskQueries.ts";
import type { MasksTable } from "./maskTables.ts";

/** The maximum number of addresses from changes of a mask's prefix. */
const maxAddresses = 20;

const mapDefined = <A, B>(value: A | undefined, column: (value: A) => B): B | undefined =>
  value === undefined ? undefined : column(value);

const toColumns = (edit: MaskEdit): Updateable<MasksTable> => ({
  ...changedColumns(withRegistrableSite(edit)),
  ...mapDefined(edit.active, () => ({ paused: 0 })),
});

const isSamePrefix = (left: string | null, right: string | null): boolean =>
  left?.toLowerCase() === right?.toLowerCase();

/** Returns an earlier or a new address for another prefix; the mask's other addresses keep receiving mail. */
const addressWithPrefix = async (
  db: Db,
  { random, clock, sender: { maskDomain } }: MaskDeps,
  { id: maskId, user_id: userId, email }: Pick<Selectable<MasksTable>, "id" | "user_id" | "email">,
  { prefix, format }: AddressParts,
): Promise<EmailAddress> => {
  const domain = toDomainName(domainOf(email));
  if (domain === null) throw maskNotFound();
  const options = { maskDomain, now: clock.now() };
  const earlier = await findEarlierAddress(db, maskId, domain, prefix);
  if (earlier) {
    await assertMayTakeAddress(db, { userId, email: earlier }, options);
    return earlier;
  }
  if ((await findMaskAddresses(db, maskId)).length >= maxAddresses)
    throw fieldError(
      "forbidden",
      "customPrefix",
      `A mask has at most ${maxAddresses} addresses. Create a new mask.`,
    );
  const address = await reserveAddress(db, { random, now: options.now }, domain, { prefix, format });
  await assertMayTakeAddress(db, { userId, email: address }, options);
  await linkAddress(db, mailboxKey(address), maskId);
  return address;
};

/** Returns the columns that a new prefix changes; none when it is the same. */
const prefixChange = async (
  db: Db,
  deps: MaskDeps,
  mask: Selectable<MasksTable>,
  prefix: string | null | undefined,
): Promise<Updateable<MasksTable>> => {
  if (prefix === undefined || isSamePrefix(prefix, mask.custom_prefix)) return {};
  const user = await findUser(db, mask.user_id);
  assertMayHavePrefix(deps, parseTier(user?.tier), prefix);
  const format = user && chosenFormat(user).maskFormat;
  return { custom_prefix: prefix, email: await addressWithPrefix(db, deps, mask, { prefix, format }) };
};

/** Throws when more masks are active than the plan allows, which only a change to a smaller plan can cause (D34). */
export const assertFitsPlan = async (
  db: Db,
  deps: Pick<MaskDeps, "sellsPlans">,
  userId: string,
): Promise<void> => {
  const tier = parseTier((await findUser(db, userId))?.tier);
  const { masks } = limitsOf[tier];
  if (masks !== null && (await countActiveMasks(db, userId)) > masks)
    throw activeLimitReached(deps)(tier, masks);
};

/** Updates the mask's columns and locks its row; throws when it does not exist or exceeds the plan. */
const updateOwnColumns = async (
  db: Db,
  deps: MaskDeps,
  userId: string,
  id: MaskId,
  edit: MaskEdit,
  now: number,
): Promise<Selectable<MasksTable>> => {
  // Locks are taken in the same order as in a change of plan: the user before the masks.
  const needsUser =
    edit.active === true ||
    edit.customPrefix !== undefined ||
    (edit.destinations ?? edit.forwardTo) !== undefined;
  if (needsUser) await lockUser(db, userId);
  await assertMayKeepInApp(db, userId, edit.settings);
  const row = await updateMask(db, userId, id, toColumns(edit), now);
  if (!row) throw maskNotFound();
  if (edit.active === true) await assertFitsPlan(db, deps, userId);
  return row;
};

/** Returns the columns that another expiry changes; the same one goes on counting. */
const expiryChange = (before: string | null, { expiry }: MaskEdit, now: number): Updateable<MasksTable> =>
  expiry === undefined || isSameExpiry(before, expiry) ? {} : expiryColumns(expiry, now);

/** Stores where mail goes; undefined when the edit leaves that as it is. */
const saveDestinations = async (
  db: Db,
  deps: MaskDeps,
  author: MaskAuthor,
  maskId: MaskId,
  { destinations, forwardTo }: MaskEdit,
): Promise<{ readonly id: string; readonly isConfirmationSent: boolean } | undefined> => {
  const first = destinations?.[0] ?? forwardTo;
  if (first === undefined) return undefined;
  const before = await findMailboxesOfMask(db, author.userId, maskId);
  const { id, isConfirmationSent } = await resolveDestination(db, deps, author, { forwardTo: first, before });
  const isFurtherSent =
    destinations !== undefined &&
    (await saveFurtherDestinations(db, deps, author, { maskId, destinations, before }));
  return { id, isConfirmationSent: isConfirmationSent || isFurtherSent };
};

interface MaskChange {
  readonly id: MaskId;
  readonly edit: MaskEdit;
  /** The version that the rules were edited from; null replaces the stored rules (D43). */
  readonly baseVersion: string | null;
}

/**
 * Checks and prepares a change of one of the user's masks; absent fields stay unchanged. A new prefix changes the shown address
 * while earlier ones keep receiving; a new destination is used once it is confirmed (D33). Throws 404 for another
 * user's mask.
 */
export const editMask = async (
  deps: MaskDeps,
  author: MaskAuthor,
  { id, edit, baseVersion }: MaskChange,
): Promise<Write<Mask>> => {
  const { userId } = author;
  const { clock, delivery, senderLists } = deps;
  if (!isId(id)) throw maskNotFound();
  const rules = edit.settings?.rules && (await parseRules(deps, edit.settings.rules));
  const now = clock.now();
  return async (tx) => {
    afterCommit(tx, delivery.wake);
    if (edit.settings?.showCodes) await assertMayShowCodesOf(tx, author, id, now);
    const before = await updateOwnColumns(tx, deps, userId, id, edit, now);
    const destination = await saveDestinations(tx, deps, author, id, edit);
    const changes = {
      ...(await prefixChange(tx, deps, before, edit.customPrefix)),
      ...mapDefined(destination, (to) => ({ destination_id: to.id })),
      ...expiryChange(before.expiry, edit, now),
      ...(rules && { rules: await mergeRulesIntoMask(tx, deps, author, before, { rules, baseVersion }) }),
    };
    await updateMask(tx, userId, id, changes, now);
    if (edit.senders) await saveSenders(tx, deps, { userId, maskId: id }, edit.senders, now);
    if (edit.settings?.showCodes === false) await deleteHiddenCodes(tx, userId, now);
    await recordMaskChange(tx, author, "updated", id, now);
    if (rules) await recordRulesChange(tx, author, id, now);
    const row = await findMask(tx, userId, id);
    if (!row) throw maskNotFound();
    return {
      ...toMask(row, senderLists),
      ...mapDefined(destination, (to) => ({ confirmationSent: to.isConfirmationSent })),
    };
  };
};
