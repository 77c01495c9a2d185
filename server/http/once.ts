import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Seal } from "../seal.ts";
import type { Database, Db } from "../store/database.ts";
import { findAnswer, insertAnswer, type RequestName, type StoredAnswer } from "../store/idempotentAnswers.ts";
import type { Caller } from "./caller.ts";
import { Refusal } from "./refusal.ts";
import { isSafe } from "./sameOrigin.ts";

/** How long a named request is answered with what it was answered first (D43). */
export const answersForMs = dayMs;

/** Keeps an answer in the transaction of the write that it answers, and hands it on. */
export type Keep<Answer> = (db: Db, answer: Answer) => Promise<Answer>;

/** An answer as it is sent. */
export interface WrittenAnswer {
  readonly status: number;
  readonly body: string;
}

/** Carries out a named request once, however often it comes (D43). */
export type Once = (
  request: FastifyRequest,
  caller: Caller,
  work: (keep: (db: Db, written: WrittenAnswer) => Promise<void>) => Promise<WrittenAnswer>,
) => Promise<WrittenAnswer>;

const aboutOf = ({ sessionId, requestId }: RequestName): string => `answer ${sessionId} ${requestId}`;

const requestIdHeader = "x-request-id";

const nameOf = ({ method, headers }: FastifyRequest): string | undefined => {
  const name = headers[requestIdHeader];
  if (isSafe(method) || name === undefined) return undefined;
  if (typeof name === "string" && /^[\x21-\x7e]{1,128}$/.test(name)) return name;
  throw new Refusal(400, "X-Request-ID must be 1 to 128 visible ASCII characters.");
};

const fingerprintOf = ({ method, url, body }: FastifyRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([method, url, body ?? null]))
    .digest("base64url");

/** Thrown to undo a write whose request was carried out meanwhile. */
class AnsweredMeanwhile extends Error {}

/**
 * Makes what answers each named request of a session once, for as long as answers are kept. The answer is committed
 * with its write, so of two requests that come at once the second waits for the first and is undone; a request
 * without a name, or one that was refused, leaves nothing behind and may be sent again. As in
 * draft-ietf-httpapi-idempotency-key-header: another request under the same name is refused with 422. Answers are kept
 * sealed: one may hold what is shown once and kept nowhere.
 */
export const makeOnce =
  (database: Database, clock: Pick<Clock, "now">, { seal, open }: Seal): Once =>
  async (request, caller, work) => {
    const requestId = nameOf(request);
    if (requestId === undefined) return work(async () => {});
    const name = { sessionId: caller.sessionId, requestId };
    const fingerprint = fingerprintOf(request);

    const known = async (): Promise<StoredAnswer | undefined> => {
      const answer = await findAnswer(database.db, name);
      if (answer && answer.fingerprint !== fingerprint)
        throw new Refusal(422, "This X-Request-ID was used for another request. Send a new one with each.");
      return answer && { ...answer, body: open(answer.body, aboutOf(name)) };
    };
    const insert = (db: Db, written: WrittenAnswer): Promise<boolean> =>
      insertAnswer(db, name, {
        status: written.status,
        body: seal(written.body, aboutOf(name)),
        fingerprint,
        userId: caller.userId,
        now: clock.now(),
      });

    const before = await known();
    if (before) return before;
    let kept = false;
    try {
      const written = await work(async (db, answer) => {
        if (!(await insert(db, answer))) throw new AnsweredMeanwhile();
        kept = true;
      });
      if (!kept) await insert(database.db, written);
      return written;
    } catch (error) {
      const meanwhile = await known();
      if (meanwhile) return meanwhile;
      throw error;
    }
  };
