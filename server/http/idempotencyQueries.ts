import { sql } from "kysely";
import { dayMs } from "../../core/kernel/durations.ts";
import type { Db } from "../store/database.ts";

/** How long a request with an X-Request-ID can be repeated and gets the recorded answer (D43). */
const answerLifetimeMs = dayMs;

/** A request, identified by its session and its X-Request-ID. */
export interface RequestKey {
  readonly sessionId: string;
  readonly requestId: string;
}

export interface StoredResponse {
  /** Hash of the request; it differs when another request reuses the id. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

/** Limits per session, in all and for large responses, so that a client cannot fill the disk. */
const maxResponses = 500;
const maxLargeResponses = 20;
/** In characters of the encrypted body. */
const largeBodyLength = 16_384;

/** Returns the stored response to a request; undefined when it has not been executed. */
export const findResponse = (
  db: Db,
  { sessionId, requestId }: RequestKey,
): Promise<StoredResponse | undefined> =>
  db
    .selectFrom("idempotent_answers")
    .select(["fingerprint", "status", "body"])
    .where("session_id", "=", sessionId)
    .where("request_id", "=", requestId)
    .executeTakeFirst();

/** Deletes the oldest responses with at least `characters` characters, except `most` of them and the newest. */
const deleteOldestResponses = async (
  db: Db,
  { sessionId, requestId: newest }: RequestKey,
  limit: number,
  minLength: number,
): Promise<void> => {
  const isLongEnough = sql<boolean>`length(body) >= ${minLength}`;
  const retained = db
    .selectFrom("idempotent_answers")
    .select("request_id")
    .where("session_id", "=", sessionId)
    .where(isLongEnough)
    .orderBy("created_at", "desc")
    .orderBy("request_id")
    .limit(limit);
  await db
    .deleteFrom("idempotent_answers")
    .where("session_id", "=", sessionId)
    .where(isLongEnough)
    .where("request_id", "!=", newest)
    .where("request_id", "not in", retained)
    .execute();
};

/**
 * Stores a response in the transaction of the write, after other such transactions; false when the request was
 * already answered. Keeps the newest 500 responses of a session, and 20 large ones.
 */
export const insertResponse = async (
  db: Db,
  { sessionId, requestId }: RequestKey,
  answer: StoredResponse & { readonly userId: string; readonly now: number },
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
  const key = { sessionId, requestId };
  await deleteOldestResponses(db, key, maxResponses, 0);
  if (body.length >= largeBodyLength)
    await deleteOldestResponses(db, key, maxLargeResponses, largeBodyLength);
  return true;
};

/** Deletes all responses of a session. */
export const deleteResponses = async (db: Db, sessionId: string): Promise<void> => {
  await db.deleteFrom("idempotent_answers").where("session_id", "=", sessionId).execute();
};

/** Deletes responses whose requests may no longer be repeated. */
export const pruneResponses = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("idempotent_answers")
    .where("created_at", "<=", now - answerLifetimeMs)
    .execute();
};
