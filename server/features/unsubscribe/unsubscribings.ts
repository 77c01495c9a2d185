import { dayMs } from "../../../core/kernel/durations.ts";
import { unsubscribeLinkDays } from "../../../core/mail/unsubscribeMode.ts";
import type { Db } from "../../platform/store/database.ts";
import { lockUser } from "../../platform/store/users.ts";

/** The number of links to unsubscribe that a user may use in 24 hours. */
export const unsubscribingsPerDay = 100;

/** After this time, whoever has begun has been interrupted. */
const runningMs = 60_000;

interface UsedLink {
  readonly hash: string;
  readonly userId: string;
}

/** The result of claiming a link: that it may be used now, or why not. */
export type Claim = "claimed" | "done" | "running" | "too-many";

/** Takes a link in a transaction, so that it is used once, whoever presses it at the same time. */
export const claimLink = async (db: Db, { hash, userId }: UsedLink, now: number): Promise<Claim> => {
  await lockUser(db, userId);
  const known = await db
    .selectFrom("unsubscribings")
    .where("link_hash", "=", hash)
    .select("state")
    .executeTakeFirst();
  if (known?.state === "done") return "done";
  const { used } = await db
    .selectFrom("unsubscribings")
    .where("user_id", "=", userId)
    .where("at", ">", now - dayMs)
    .select(({ fn }) => fn.countAll<number>().as("used"))
    .executeTakeFirstOrThrow();
  if (Number(used) >= unsubscribingsPerDay) return "too-many";
  const claimed = await db
    .insertInto("unsubscribings")
    .values({ link_hash: hash, user_id: userId, state: "running", at: now })
    .onConflict((conflict) =>
      conflict
        .column("link_hash")
        .doUpdateSet({ state: "running", at: now })
        .where((eb) =>
          eb.or([
            eb("unsubscribings.state", "=", "failed"),
            eb.and([
              eb("unsubscribings.state", "=", "running"),
              eb("unsubscribings.at", "<", now - runningMs),
            ]),
          ]),
        ),
    )
    .returning("link_hash")
    .executeTakeFirst();
  return claimed ? "claimed" : "running";
};

/** Records what became of a link that was claimed. */
export const settleLink = async (
  db: Db,
  { hash }: Pick<UsedLink, "hash">,
  state: "done" | "failed",
  now: number,
): Promise<void> => {
  await db.updateTable("unsubscribings").set({ state, at: now }).where("link_hash", "=", hash).execute();
};

/** Deletes what is known of links that do not work any more. */
export const pruneUnsubscribings = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("unsubscribings")
    .where("at", "<", now - (unsubscribeLinkDays + 1) * dayMs)
    .execute();
};
