import { countMail } from "../../../core/masks/mailStatistics.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import type { CommittedMail } from "../../relay/decision/mailDecision.ts";
import { type AppliedAccountRule, countAccountRules } from "../rules/accountRuleQueries.ts";
import { updateRuleStatistics } from "./maskStatistics.ts";

interface MaskFlow {
  readonly maskId: string;
  readonly destinationId: string;
  readonly isActive: boolean;
  received: number;
  forwarded: number;
  blocked: number;
  answered: number;
}

const addFlows: RowStatement = {
  columns: {
    mask_id: "text",
    destination_id: "text",
    active: "bigint",
    received: "bigint",
    forwarded: "bigint",
    blocked: "bigint",
    answered: "bigint",
    at: "bigint",
    month: "text",
  },
  text: (rows) =>
    `insert into mask_statistics (
       mask_id, user_id, total_received, total_forwarded, spam_blocked, total_sent, last_used_at, month, month_received
     )
     select masks.id, masks.user_id, given.received, given.forwarded, given.blocked, given.answered, given.at,
       given.month, given.received
     from ${rows}
     join masks on masks.id = given.mask_id and masks.active = given.active and masks.deleted_at is null
       and masks.destination_id = given.destination_id
     where true
     on conflict (mask_id) do update set
       total_received = mask_statistics.total_received + excluded.total_received,
       total_forwarded = mask_statistics.total_forwarded + excluded.total_forwarded,
       spam_blocked = mask_statistics.spam_blocked + excluded.spam_blocked,
       total_sent = mask_statistics.total_sent + excluded.total_sent,
       last_used_at = excluded.last_used_at,
       month = excluded.month,
       month_received = excluded.month_received +
         case when mask_statistics.month = excluded.month then mask_statistics.month_received else 0 end
     returning mask_id`,
};

/** Ordered by mask id, so that two processes lock rows in the same order. */
const flowsOf = (mails: readonly CommittedMail[]): readonly MaskFlow[] => {
  const flows = new Map<string, MaskFlow>();
  for (const { decided, forwarded, answered } of mails) {
    const { maskId, destinationId, active: isActive } = decided.route;
    const key = `${maskId} ${destinationId} ${isActive}`;
    const none = { maskId, destinationId, isActive, received: 0, forwarded: 0, blocked: 0, answered: 0 };
    const flow = flows.get(key) ?? none;
    flows.set(key, flow);
    flow.received += 1;
    flow.forwarded += Number(forwarded);
    flow.blocked += Number(decided.block !== null);
    flow.answered += Number(answered);
  }
  return [...flows.values()].toSorted((left, right) => (left.maskId < right.maskId ? -1 : 1));
};

const accountRulesOf = ({ decided }: CommittedMail): readonly AppliedAccountRule[] =>
  decided.decision.applied.flatMap(({ id, place }) =>
    place === undefined ? [] : [{ userId: decided.route.userId, ruleId: id }],
  );

/**
 * Counts mails at their masks and rules, and locks the masks' rows. False when a mask was switched off or on or
 * got another destination; then roll back the transaction.
 */
export const countMasks = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly CommittedMail[],
  { now, month }: { readonly now: number; readonly month: string },
): Promise<boolean> => {
  const flows = flowsOf(mails);
  const counted = await engine.runRows(
    db,
    addFlows,
    flows.map(({ maskId, destinationId, isActive, received, forwarded, blocked, answered }) => [
      maskId,
      destinationId,
      Number(isActive),
      received,
      forwarded,
      blocked,
      answered,
      now,
      month,
    ]),
  );
  if (counted.length < flows.length) return false;
  const at = new Date(now).toISOString();
  for (const { decided } of mails) {
    const { block, decision, route } = decided;
    const { applied, tags } = decision;
    if (applied.length > 0 || block !== null)
      await updateRuleStatistics(db, route.maskId, (details) =>
        countMail(details, { at, applied, tags, block }),
      );
  }
  await countAccountRules({ engine }, db, mails.flatMap(accountRulesOf), now);
  return true;
};
