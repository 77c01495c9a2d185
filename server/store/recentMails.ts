import { sql } from "kysely";
import type { Db } from "./database.ts";
import type { Engine } from "./dialect.ts";

/** What became of a mail, in one word. */
export type Outcome = "forwarded" | "digest" | "archived" | "dropped" | "blocked";

/** A mail as it is remembered for a while. */
export interface RecentMail {
  readonly userId: string;
  readonly maskId: string;
  readonly senderDomain: string;
  readonly category: string | null;
  readonly outcome: Outcome;
  readonly threatLevel: string | null;
  readonly reason: string | null;
}

/** Of each user so many that were let through and so many that were stopped. */
const remembered = 100;

/** Remembers mails, oldest first, and forgets their owners' older ones. */
export const rememberMails = async (
  db: Db,
  engine: Pick<Engine, "each">,
  mails: readonly RecentMail[],
  now: number,
): Promise<void> => {
  const newest = new Map<string, RecentMail[]>();
  for (const mail of mails) {
    const key = `${mail.userId} ${mail.outcome === "blocked"}`;
    newest.set(key, [...(newest.get(key) ?? []).slice(1 - remembered), mail]);
  }
  const kept = new Set([...newest.values()].flat());
  const rows = mails
    .filter((mail) => kept.has(mail))
    .map(({ userId, maskId, senderDomain, category, outcome, threatLevel, reason }) => [
      userId,
      maskId,
      senderDomain,
      category,
      outcome,
      threatLevel,
      reason,
    ]);
  if (rows.length === 0) return;
  await sql`
    insert into recent_mails (user_id, mask_id, sender_domain, category, outcome, threat_level, reason, at)
    select
      each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3, each.value ->> 4,
      each.value ->> 5, each.value ->> 6, cast(${now} as bigint)
    from ${engine.each(JSON.stringify(rows))}
  `.execute(db);
  for (const userId of new Set(mails.map((mail) => mail.userId))) await forgetOlder(db, userId);
};

/** Forgets all but a user's newest mails of each kind. */
const forgetOlder = async (db: Db, userId: string): Promise<void> => {
  for (const isBlocked of [true, false]) {
    const theirs = db
      .selectFrom("recent_mails")
      .where("user_id", "=", userId)
      .where("outcome", isBlocked ? "=" : "!=", "blocked");
    const last = await theirs
      .select("id")
      .orderBy("id", "desc")
      .offset(remembered)
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

/** Of a user's remembered mails the newest, of one mask or (null) of all, since a moment. */
export const recentMailsOf = (
  db: Db,
  want: {
    readonly userId: string;
    readonly maskId: string | null;
    readonly since: number;
    readonly blocked: boolean;
    readonly limit: number;
  },
) => {
  const theirs = db
    .selectFrom("recent_mails")
    .selectAll()
    .where("user_id", "=", want.userId)
    .where("at", ">=", want.since);
  const ofMask = want.maskId === null ? theirs : theirs.where("mask_id", "=", want.maskId);
  const chosen = want.blocked ? ofMask.where("outcome", "=", "blocked") : ofMask;
  return chosen.orderBy("id", "desc").limit(want.limit).execute();
};
