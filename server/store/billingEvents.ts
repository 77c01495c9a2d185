import type { Db } from "./database.ts";

/** Whether an event has had its effect. */
export const isEventKnown = async (db: Db, eventId: string): Promise<boolean> =>
  (await db
    .selectFrom("billing_events")
    .select("event_id")
    .where("event_id", "=", eventId)
    .executeTakeFirst()) !== undefined;

/** Notes an event in the transaction of its effect; false when it was noted before. */
export const noteEvent = async (db: Db, eventId: string, now: number): Promise<boolean> => {
  const noted = await db
    .insertInto("billing_events")
    .values({ event_id: eventId, created_at: now })
    .onConflict((conflict) => conflict.column("event_id").doNothing())
    .returning("event_id")
    .execute();
  return noted.length === 1;
};

/** Forgets events so old that the provider does not send them again. */
export const pruneEvents = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom("billing_events").where("created_at", "<", before).execute();
};
