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

/**
 * Keeps an answer in the transaction of the write it answers; false when the request was answered already. While
 * another transaction is about to, this waits for its end.
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
  return inserted !== undefined;
};

/** Forgets what a session was answered. */
export const forgetAnswers = async (db: Db, sessionId: string): Promise<void> => {
  await db.deleteFrom("idempotent_answers").where("session_id", "=", sessionId).execute();
};

/** Forgets answers from before a time. */
export const pruneAnswers = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom("idempotent_answers").where("created_at", "<=", before).execute();
};
