import { sql } from "kysely";
import type { Db } from "./database.ts";

/** A request as its session named it. */
export interface RequestName {
  readonly sessionId: string;
  readonly requestId: string;
}

export interface StoredAnswer {
  /** Of what was asked: another request under the same name has another one. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

/** How many answers of one session are kept, and how many of them may be large: whoever writes without end fills no disk. */
const mostKept = 500;
const mostLarge = 20;
/** Characters, sealed. */
const large = 16_384;

/** What a named request was answered; undefined when it has not been carried out. */
export const findAnswer = (
  db: Db,
  { sessionId, requestId }: RequestName,
): Promise<StoredAnswer | undefined> =>
  db
    .selectFrom("idempotent_answers")
    .select(["fingerprint", "status", "body"])
    .where("session_id", "=", sessionId)
    .where("request_id", "=", requestId)
    .executeTakeFirst();

/** Forgets the oldest answers of a session, but for `most` and the newest, that have at least so many characters. */
const forgetOldest = async (
  db: Db,
  { sessionId, requestId: newest }: RequestName,
  most: number,
  characters: number,
): Promise<void> => {
  const isOne = sql<boolean>`length(body) >= ${characters}`;
  const kept = db
    .selectFrom("idempotent_answers")
    .select("request_id")
    .where("session_id", "=", sessionId)
    .where(isOne)
    .orderBy("created_at", "desc")
    .orderBy("request_id")
    .limit(most);
  await db
    .deleteFrom("idempotent_answers")
    .where("session_id", "=", sessionId)
    .where(isOne)
    .where("request_id", "!=", newest)
    .where("request_id", "not in", kept)
    .execute();
};

/**
 * Keeps an answer in the transaction of the write it answers; false when the request was answered already. While
 * another transaction is about to, this waits for its end. Of a session the newest 500 are kept, and 20 large ones.
 */
export const insertAnswer = async (
  db: Db,
  { sessionId, requestId }: RequestName,
  answer: StoredAnswer & { readonly userId: string; readonly now: number },
): Promise<boolean> => {
  const { fingerprint, status, body, userId, now } = answer;
  const inserted = await db
    .insertInto("idempotent_answers")
    .values({
      session_id: sessionId,
      request_id: requestId,
      user_id: userId,
      fingerprint,
      status,
      body,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["session_id", "request_id"]).doNothing())
    .returning("status")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  const name = { sessionId, requestId };
  await forgetOldest(db, name, mostKept, 0);
  if (body.length >= large) await forgetOldest(db, name, mostLarge, large);
  return true;
};

/** Forgets what a session was answered. */
export const forgetAnswers = async (db: Db, sessionId: string): Promise<void> => {
  await db.deleteFrom("idempotent_answers").where("session_id", "=", sessionId).execute();
};

/** Forgets answers from before a time. */
export const pruneAnswers = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom("idempotent_answers").where("created_at", "<=", before).execute();
};
