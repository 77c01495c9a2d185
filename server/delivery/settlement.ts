import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { retryAt } from "../../core/relay/retrySchedule.ts";
import type { Database, Db } from "../store/database.ts";
import { type GroupCommit, makeGroupCommit } from "../store/groupCommit.ts";
import type { LeasedMail } from "../store/queueLeases.ts";
import { markDelivered, markFailed, postpone } from "../store/queueOutcomes.ts";
import type { Outcome } from "./departure.ts";
import { tellOwner } from "./failureNotice.ts";

/** A mail that was tried under a lease, and what came of it. */
export interface Tried {
  readonly mail: LeasedMail;
  readonly lease: string;
  readonly outcome: Outcome;
}

/** What the queue says of the mail from then on. */
export type Settled = "delivered" | "postponed" | "failed";

const settlementsInACommit = 500;

const settle = async (
  db: Db,
  { mail, lease, outcome }: Tried,
  now: number,
  fraction: number,
): Promise<Settled> => {
  const held = { id: mail.id, lease };
  const { kind, answer } = outcome;
  if (kind === "delivered") {
    await markDelivered(db, held, answer, now);
    return "delivered";
  }
  const again = kind === "temporary" ? retryAt({ ...mail, now, fraction }) : null;
  if (again !== null) {
    await postpone(db, held, answer, again);
    return "postponed";
  }
  const reason = kind === "permanent" ? "refused" : "expired";
  if (await markFailed(db, held, answer, now)) await tellOwner(db, mail, { reason, answer }, now);
  return "failed";
};

/** Writes outcomes to the queue, those that arrive together in one commit. */
export const makeSettlement = (
  database: Database,
  clock: Clock,
  random: Random,
): GroupCommit<Tried, Settled> =>
  makeGroupCommit(
    (tried: readonly Tried[]) =>
      database.transaction(async (db) => {
        const settled: Settled[] = [];
        for (const one of tried) settled.push(await settle(db, one, clock.now(), random.fraction()));
        return settled;
      }),
    { items: settlementsInACommit, weight: settlementsInACommit, weightOf: () => 1 },
  );
