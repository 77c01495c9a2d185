import type { BulkChange } from "../../../core/bulk/bulkChange.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { changeLabels, isTooManyLabels, tooManyLabels } from "../../../core/labels/label.ts";
import type { MaskId } from "../../../core/masks/mask.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { limitsOf, parseTier, type Tier } from "../../../core/tiers/tier.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import { adjustMaskCount } from "../../platform/store/users.ts";
import { resolveDestination } from "../destinations/destination.ts";
import { type MaskAuthor, maskNotFound, recordMasksChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { activeLimitReached, maskLimitReached } from "../masks/maskLimits.ts";
import { countActiveMasks } from "../masks/maskQueries.ts";
import { reclaimAddress } from "../masks/masksOfDomain.ts";
import { mergeRulesIntoMask, parseRules, parseStoredRules } from "../rules/mergeRulesIntoMask.ts";
import {
  deleteMasks,
  type LockedMask,
  lockDeletedMasks,
  lockMasks,
  restoreMasks,
  updateMasks,
} from "./bulkQueries.ts";

/** The result of each mask: null when it was changed. A mask that is missing does not exist. */
type Outcomes = Map<MaskId, UseCaseError | null>;

interface Work {
  readonly db: Db;
  readonly deps: MaskDeps;
  readonly author: MaskAuthor;
  readonly userId: string;
  readonly ids: readonly MaskId[];
  readonly now: number;
}

const changed = (masks: readonly { readonly id: MaskId }[]): Outcomes =>
  new Map(masks.map(({ id }) => [id, null]));

const changedIds = (outcomes: Outcomes): MaskId[] =>
  [...outcomes].flatMap(([id, refusal]) => (refusal === null ? [id] : []));

/** Locks the user and changes the number of their masks. */
const lockPlan = async ({ db, userId }: Work, change = 0): Promise<{ tier: Tier; masks: number }> => {
  const user = await adjustMaskCount(db, userId, change);
  if (!user) throw invalidSession();
  return { tier: parseTier(user.tier), masks: user.mask_count };
};

/** Gives places of the plan to masks in their order, as far as there are some; an active mask has one already. */
const takeActivePlaces = async (
  { db, deps, userId }: Work,
  masks: readonly { readonly id: MaskId; readonly needsPlace: boolean }[],
  tier: Tier,
): Promise<Outcomes> => {
  const limit = limitsOf[tier].masks ?? Number.POSITIVE_INFINITY;
  let active = Number.isFinite(limit) ? await countActiveMasks(db, userId) : 0;
  return new Map(
    masks.map(({ id, needsPlace }) => {
      if (!needsPlace) return [id, null];
      if (active >= limit) return [id, activeLimitReached(deps)(tier, limit)];
      active += 1;
      return [id, null];
    }),
  );
};

/** Puts rows that came in any order into the order of the request. */
const inOrder = <A extends { readonly id: MaskId }>({ ids }: Work, rows: readonly A[]): readonly A[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

const lock = async (work: Work): Promise<readonly LockedMask[]> =>
  inOrder(work, await lockMasks(work.db, work.userId, work.ids, work.now));

const switchMasks = async (work: Work, active: boolean): Promise<Outcomes> => {
  // Locks are taken in the same order as in a change of plan: the user before the masks.
  const plan = active ? await lockPlan(work) : undefined;
  const masks = await lock(work);
  const outcomes = plan
    ? await takeActivePlaces(
        work,
        masks.map(({ id, active: isOn }) => ({ id, needsPlace: isOn === 0 })),
        plan.tier,
      )
    : changed(masks);
  await updateMasks(work.db, changedIds(outcomes), { active: active ? 1 : 0, paused: 0 });
  return outcomes;
};

const labelMasks = async (
  work: Work,
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<Outcomes> => {
  const outcomes: Outcomes = new Map();
  const idsOf = new Map<string, MaskId[]>();
  for (const { id, labels } of await lock(work)) {
    const next = changeLabels(JSON.parse(labels) as string[], change);
    outcomes.set(id, isTooManyLabels(next) ? new UseCaseError("invalid", tooManyLabels) : null);
    if (isTooManyLabels(next)) continue;
    const text = JSON.stringify(next);
    idsOf.set(text, [...(idsOf.get(text) ?? []), id]);
  }
  for (const [labels, ids] of idsOf) await updateMasks(work.db, ids, { labels });
  return outcomes;
};

const moveMasks = async (work: Work, forwardTo: string): Promise<Outcomes> => {
  const { id } = await resolveDestination(work.db, work.deps, work.author, { forwardTo });
  const masks = await lock(work);
  await updateMasks(
    work.db,
    masks.map((mask) => mask.id),
    { destination_id: id },
  );
  return changed(masks);
};

/** Stores what `change` makes of the rules of each mask. */
const changeRules = async (
  work: Work,
  change: (rules: readonly Rule[]) => readonly Rule[],
): Promise<Outcomes> => {
  const outcomes: Outcomes = new Map();
  for (const mask of await lock(work)) {
    try {
      const rules = await parseRules(work.deps, change(parseStoredRules(mask.rules)));
      const stored = await mergeRulesIntoMask(work.db, work.deps, work.author, mask, {
        rules,
        baseVersion: null,
      });
      await updateMasks(work.db, [mask.id], { rules: stored });
      outcomes.set(mask.id, null);
    } catch (error) {
      // An address that may not be named concerns all masks.
      if (!(error instanceof UseCaseError) || error.kind === "forbidden") throw error;
      outcomes.set(mask.id, error);
    }
  }
  return outcomes;
};

const withRules =
  (added: readonly Rule[]) =>
  (rules: readonly Rule[]): readonly Rule[] => [
    ...rules.filter(({ id }) => !added.some((rule) => rule.id === id)),
    ...added,
  ];

const removeMasks = async (work: Work): Promise<Outcomes> => {
  const masks = await lock(work);
  await deleteMasks(
    work.db,
    masks.map(({ id }) => id),
    work.now,
  );
  await lockPlan(work, -masks.length);
  return changed(masks);
};

/** Gives masks of the trash their addresses back; returns those that cannot have them. The user is locked. */
const reclaimAddresses = async (
  { db, deps, userId, now }: Work,
  masks: readonly { readonly id: MaskId; readonly email: string }[],
): Promise<Outcomes> => {
  const refused: Outcomes = new Map();
  for (const { id, email } of masks)
    try {
      await reclaimAddress(db, { id, userId, email }, { maskDomain: deps.sender.maskDomain, now });
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      refused.set(id, error);
    }
  return refused;
};

const restoreDeleted = async (work: Work): Promise<Outcomes> => {
  const since = work.now - trashDays * dayMs;
  const deleted = inOrder(
    work,
    await lockDeletedMasks(work.db, work.userId, work.ids, { since, now: work.now }),
  );
  const plan = await lockPlan(work);
  const refused = await reclaimAddresses(work, deleted);
  const found = deleted.filter(({ id }) => !refused.has(id));
  const places = (limitsOf[plan.tier].masks ?? Number.POSITIVE_INFINITY) - plan.masks;
  const fitting = found.slice(0, Math.max(0, places));
  const outcomes = await takeActivePlaces(
    work,
    fitting.map(({ id, active }) => ({ id, needsPlace: active === 1 })),
    plan.tier,
  );
  for (const { id } of found.slice(fitting.length))
    outcomes.set(id, maskLimitReached(work.deps)(plan.tier, plan.masks + fitting.length));
  const ids = changedIds(outcomes);
  await restoreMasks(work.db, ids);
  await lockPlan(work, ids.length);
  return new Map([...outcomes, ...refused]);
};

const eventOf = (change: BulkChange): "updated" | "deleted" | "created" => {
  if (change.kind === "delete") return "deleted";
  return change.kind === "restore" ? "created" : "updated";
};

const perform = async (work: Work, change: BulkChange): Promise<Outcomes> => {
  switch (change.kind) {
    case "switch":
      return switchMasks(work, change.active);
    case "pin": {
      const masks = await lock(work);
      await updateMasks(
        work.db,
        masks.map(({ id }) => id),
        { pinned: change.pinned ? 1 : 0 },
      );
      return changed(masks);
    }
    case "label":
      return labelMasks(work, change);
    case "move":
      return moveMasks(work, change.forwardTo);
    case "addRules":
      return changeRules(work, withRules(await parseRules(work.deps, change.rules)));
    case "removeRules":
      return changeRules(work, (rules) => rules.filter(({ id }) => !change.ids.includes(id)));
    case "delete":
      return removeMasks(work);
    case "restore":
      return restoreDeleted(work);
    default:
      return change satisfies never;
  }
};

const notFound = maskNotFound();

/** The result of one mask; `refusal` is null when it was changed. */
export interface MaskResult {
  readonly id: MaskId;
  readonly refusal: UseCaseError | null;
}

/**
 * Changes several of a user's masks: exactly as many are switched on or restored as the plan allows, the first ones of the
 * request. Sockets hear of one change.
 */
export const changeMasks = async (
  deps: MaskDeps,
  tx: Db,
  author: MaskAuthor,
  { ids, change }: { readonly ids: readonly MaskId[]; readonly change: BulkChange },
): Promise<readonly MaskResult[]> => {
  const now = deps.clock.now();
  const distinct = [...new Set(ids)];
  const known = distinct.filter(isId);
  const work = { db: tx, deps, author, userId: author.userId, ids: known, now };
  const outcomes = known.length === 0 ? new Map<MaskId, null>() : await perform(work, change);
  const changed = changedIds(outcomes);
  if (changed.length > 0) await recordMasksChange(tx, author, eventOf(change), changed, now);
  afterCommit(tx, deps.delivery.wake);
  return distinct.map((id) => ({ id, refusal: outcomes.has(id) ? (outcomes.get(id) ?? null) : notFound }));
};
