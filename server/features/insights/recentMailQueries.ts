import { sql } from "kysely";
import type { Db } from "../../platform/store/database.ts";
import type { Engine } from "../../platform/store/engine.ts";
import type { MailOutcome } from "../../relay/decision/mailDecision.ts";

/** A mail in the list of recent mails. */
export interface RecentMail {
  readonly userId: string;
  readonly maskId: string;
  readonly senderDomain: string;
  readonly category: string | null;
  readonly outcome: MailOutcome;
  readonly threatLevel: string | null;
  readonly reason: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The maximum of delivered and of blocked mails per user. */
export const recentMailLimit = 100;

/** Stores mails, oldest first, and deletes the older ones of their owners. */
export const addRecentMails = async (
  db: Db,
  engine: Pick<Engine, "jsonRows">,
  mails: readonly RecentMail[],
): Promise<void> => {
  const newest = new Map<string, RecentMail[]>();
  for (const mail of mails) {
    const key = `${mail.userId} ${mail.outcome === "blocked"}`;
    const known = newest.get(key);
    if (known) known.push(mail);
    else newest.set(key, [mail]);
  }
  const retained = new Set([...newest.values()].flatMap((of) => of.slice(-recentMailLimit)));
  const rows = mails
    .filter((mail) => retained.has(mail))
    .map(({ userId, maskId, senderDomain, category, outcome, threatLevel, reason, at }) => [
      userId,
      maskId,
      senderDomain,
      category,
      outcome,
      threatLevel,
      reason,
      at,
    ]);
  if (rows.length === 0) return;
  await sql`
    insert into recent_mails (user_id, mask_id, sender_domain, category, outcome, threat_level, reason, at)
    select
      each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3, each.value ->> 4,
      each.value ->> 5, each.value ->> 6, cast(each.value ->> 7 as bigint)
    from ${engine.jsonRows(JSON.stringify(rows))}
  `.execute(db);
  for (const userId of new Set(mails.map((mail) => mail.userId))) await deleteOlderMails(db, userId);
};

const deleteOlderMails = async (db: Db, userId: string): Promise<void> => {
  for (const isBlocked of [true, false]) {
    const ofUser = db
      .selectFrom("recent_mails")
      .where("user_id", "=", userId)
      .where("outcome", isBlocked ? "=" : "!=", "blocked");
    const last = await ofUser
      .select("id")
      .orderBy("id", "desc")
      .offset(recentMailLimit)
      .limit(1)
      .executeTakeFirst();
    if (last)
      await db
        .deleteFrom("recent_mails")
        .where("user_id", "=", userId)
        .where("outcome", isBlocked ? "=" : "!=", "blocked")
        .where("id", "<=", last.id)
        .execute();
  }
};

/** Returns a user's newest recent mails since a moment, of one mask or (null) of all. */
export const listRecentMails = (
  db: Db,
  query: {
    readonly userId: string;
    readonly maskId: string | null;
    readonly since: number;
    readonly blocked: boolean;
    readonly limit: number;
  },
) => {
  const ofUser = db
    .selectFrom("recent_mails")
    .selectAll()
    .where("user_id", "=", query.userId)
    .where("at", ">=", query.since);
  const ofMask = query.maskId === null ? ofUser : ofUser.where("mask_id", "=", query.maskId);
  const chosen = query.blocked ? ofMask.where("outcome", "=", "blocked") : ofMask;
  return chosen.orderBy("id", "desc").limit(query.limit).execute();
};
