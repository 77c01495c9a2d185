import { type ExpressionBuilder, sql } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Db } from "./database.ts";
import type { Tables } from "./tables.ts";

/** The time for which a request with an X-Request-ID can be repeated and gets the recorded answer (D43). */
const answerLifetimeMs = dayMs;

/** A request, identified by the session or API token that it was made with and its X-Request-ID. */
export interface RequestKey {
  readonly callerId: string;
  readonly requestId: string;
}

export interface StoredResponse {
  /** Hash of the request; it differs when another request reuses the id. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

/** Limits per session or API token, in all and for large responses, so that a client cannot fill the disk. */
export const maxResponses = 500;
export const maxLargeResponses = 20;
/** In characters of the encrypted body. */
const largeBodyLength = 16_384;

/** Returns the stored response to a request; undefined when it has not been executed. */
export const findResponse = (
  db: Db,
  { callerId, requestId }: RequestKey,
): Promise<StoredResponse | undefined> =>
  db
    .selectFrom("idempotent_answers")
    .select(["fingerprint", "status", "body"])
    .where("session_id", "=", callerId)
    .where("request_id", "=", requestId)
    .executeTakeFirst();

/** Deletes the responses of a session or an API token that are older than its `limit` newest, of the large ones only or of all. */
const deleteOldestResponses = async (
  db: Db,
  callerId: string,
  limit: number,
  { large }: { readonly large: boolean },
): Promise<void> => {
  // The length is asked only where it matters, because that reads the bodies.
  const ofSession = (e: ExpressionBuilder<Tables, "idempotent_answers">) =>
    e.and([
      e("session_id", "=", callerId),
      ...(large ? [sql<boolean>`length(body) >= ${largeBodyLength}`] : []),
    ]);
  await db
    .deleteFrom("idempotent_answers")
    .where(ofSession)
    .where("created_at", "<", (e) =>
      e
        .selectFrom("idempotent_answers")
        .select("created_at")
        .where(ofSession)
        .orderBy("created_at", "desc")
        .offset(limit - 1)
        .limit(1),
    )
    .execute();
};

/**
 * Stores a response in the transaction of the write, after other such transactions; false when the request was
 * already answered. Keeps the newest 500 responses of a session or an API token, and 20 large ones; more only of the same ms.
 */
export const insertResponse = async (
  db: Db,
  { callerId, requestId }: RequestKey,
  answer: StoredResponse & { readonly userId: string; readonly now: number },
): Promise<boolean> => {
  const { fingerprint, status, body, userId, now } = answer;
  const inserted = await db
    .insertInto("idempotent_answers")
    .values({
      session_id: callerId,
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
  await deleteOldestResponses(db, callerId, maxResponses, { large: false });
  if (body.length >= largeBodyLength)
    await deleteOldestResponses(db, callerId, maxLargeResponses, { large: true });
  return true;
};

/** Deletes all responses of a session or an API token. */
export const deleteResponses = async (db: Db, callerId: string): Promise<void> => {
  await db.deleteFrom("idempotent_answers").where("session_id", "=", callerId).execute();
};

/** Deletes responses whose requests may no longer be repeated. */
export const pruneResponses = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("idempotent_answers")
    .where("created_at", "<=", now - answerLifetimeMs)
    .execute();
};
