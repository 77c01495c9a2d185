import type { Selectable, Updateable } from "kysely";
import { type EmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Mask, MaskEdit, MaskId } from "../../core/masks/mask.ts";
import { limitsOf, mayChoosePrefix, tierNamed } from "../../core/tiers/tier.ts";
import type { Keep } from "../http/once.ts";
import { refusedField } from "../http/refusal.ts";
import type { Db } from "../store/database.ts";
import { isId } from "../store/id.ts";
import { addressesOf, countActive, linkAddress, maskOf, updateMask } from "../store/masks.ts";
import type { MasksTable } from "../store/maskTables.ts";
import { lockUser, userById } from "../store/users.ts";
import { activeLimit, prefixNeedsPlan } from "./createMask.ts";
import { destinationFor } from "./destination.ts";
import { earlierAddress, reserveAddress } from "./maskAddress.ts";
import { maskAnswer } from "./maskAnswer.ts";
import { type MaskParts, maskChanged, noSuchMask, rulesChanged } from "./maskParts.ts";
import { mergeIntoMask, readSentRules } from "./saveRules.ts";

/** How many addresses a mask may gather by changes of its prefix. */
const mostAddresses = 20;

const given = <A, B>(value: A | undefined, column: (value: A) => B): B | undefined =>
  value === undefined ? undefined : column(value);

const columns = (edit: MaskEdit, now: number): Updateable<MasksTable> => ({
  updated_at: now,
  ...given(edit.description, (description) => ({ description })),
  ...given(edit.active, (active) => ({ active: active ? 1 : 0, paused: 0 })),
  ...given(edit.settings?.spamFilter, (wanted) => ({ spam_filter: wanted ? 1 : 0 })),
});

const isSamePrefix = (one: string | null, other: string | null): boolean =>
  one?.toLowerCase() === other?.toLowerCase();

/** The address a mask shows under another prefix: one it had before, or a new one. Mail to the others still arrives. */
const addressUnder = async (
  db: Db,
  { random, clock, sender }: MaskParts,
  maskId: MaskId,
  prefix: string | null,
): Promise<EmailAddress> => {
  const earlier = await earlierAddress(db, maskId, sender.maskDomain, prefix);
  if (earlier) return earlier;
  if ((await addressesOf(db, maskId)).length >= mostAddresses)
    throw refusedField(
      403,
      "customPrefix",
      `A mask has at most ${mostAddresses} addresses. Please make a new mask.`,
    );
  const address = await reserveAddress(db, { random, now: clock.now() }, sender.maskDomain, prefix);
  await linkAddress(db, mailboxKey(address), maskId);
  return address;
};

/** What another prefix changes; nothing when it is the same. */
const prefixChange = async (
  db: Db,
  parts: MaskParts,
  mask: Selectable<MasksTable>,
  prefix: string | null | undefined,
): Promise<Updateable<MasksTable>> => {
  if (prefix === undefined || isSamePrefix(prefix, mask.custom_prefix)) return {};
  const user = await userById(db, mask.user_id);
  if (prefix !== null && !mayChoosePrefix(user?.tier ?? "")) throw prefixNeedsPlan();
  return { custom_prefix: prefix, email: await addressUnder(db, parts, mask.id, prefix) };
};

/** Throws when more masks are active than the plan has, which only a smaller plan than before can bring about (D34). */
const fitsPlan = async (db: Db, userId: string): Promise<void> => {
  const tier = tierNamed((await userById(db, userId))?.tier);
  const { masks } = limitsOf[tier];
  if (masks !== null && (await countActive(db, userId)) > masks) throw activeLimit(tier, masks);
};

/** Changes what stands in the mask's own row, and keeps it locked; throws when it is not there, or does not fit the plan. */
const changeRow = async (
  db: Db,
  userId: string,
  id: MaskId,
  edit: MaskEdit,
  now: number,
): Promise<Selectable<MasksTable>> => {
  // Before anything of the masks: whoever changes the plan takes the user first as well.
  if (edit.active === true || edit.forwardTo !== undefined) await lockUser(db, userId);
  const row = await updateMask(db, userId, id, columns(edit, now));
  if (!row) throw noSuchMask();
  if (edit.active === true) await fitsPlan(db, userId);
  return row;
};

/** A change of one mask. */
interface WantedEdit {
  readonly id: MaskId;
  readonly edit: MaskEdit;
  /** The version the rules were made from; null replaces those that are there (D43). */
  readonly from: string | null;
}

/**
 * Changes one of the user's masks; what is left out stays as it is. Another prefix gives another shown address while
 * the old ones keep receiving, another forward-to waits until it is confirmed (D33). Throws 404 for a mask that is not
 * the user's.
 */
export const makeEditMask =
  (parts: MaskParts) =>
  async (userId: string, { id, edit, from }: WantedEdit, keep: Keep<Mask>): Promise<Mask> => {
    const { database, clock, feed, delivery } = parts;
    if (!isId(id)) throw noSuchMask();
    const rules = edit.settings?.rules && (await readSentRules(parts, edit.settings.rules));
    const now = clock.now();
    const mask = await database.transaction(async (db) => {
      const before = await changeRow(db, userId, id, edit, now);
      const destination =
        edit.forwardTo === undefined ? undefined : await destinationFor(db, parts, userId, edit.forwardTo);
      await updateMask(db, userId, id, {
        updated_at: now,
        ...(await prefixChange(db, parts, before, edit.customPrefix)),
        ...given(destination, (to) => ({ destination_id: to.id })),
        ...(rules && { rules: await mergeIntoMask(db, parts, before, { rules, from }) }),
      });
      await maskChanged(db, userId, "updated", id, now);
      if (rules) await rulesChanged(db, userId, id, now);
      const row = await maskOf(db, userId, id);
      if (!row) throw noSuchMask();
      return keep(db, {
        ...maskAnswer(row),
        ...given(destination, (to) => ({ confirmationSent: to.isAsked })),
      });
    });
    feed.nudge();
    delivery.wake();
    return mask;
  };
