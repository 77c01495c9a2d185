import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Seal } from "../ops/secrets.ts";
import type { AuthContext } from "../store/authContext.ts";
import type { Database, Db, Write } from "../store/database.ts";
import type { EventFeed } from "../store/eventFeed.ts";
import { findResponse, insertResponse, type RequestKey } from "../store/idempotencyQueries.ts";
import { isSafeMethod } from "./crossOrigin.ts";
import { HttpError } from "./httpError.ts";

/** The status and the JSON text of a response. */
export interface EncodedAnswer {
  readonly status: number;
  readonly body: string;
}

const sealContext = ({ callerId, requestId }: RequestKey): string => `answer ${callerId} ${requestId}`;

/** The headers that identify a request. They mean the same and share one space of ids. */
const headerNames = ["X-Request-ID", "Idempotency-Key"] as const;

/** An id and the header that it came in. */
interface RequestId {
  readonly header: (typeof headerNames)[number];
  readonly id: string;
}

const maxIdLength = 128;

/** An Idempotency-Key is a string of structured fields, in quotes (RFC 9651, 3.3.3); many clients leave them out. */
const unquoted = (value: string): string =>
  /^".+"$/.test(value) ? value.slice(1, -1).replace(/\\(["\\])/g, "$1") : value;

const idIn = ({ headers }: FastifyRequest, header: RequestId["header"]): RequestId | undefined => {
  const value = headers[header.toLowerCase()];
  if (value === undefined) return undefined;
  const id = typeof value !== "string" ? "" : header === "Idempotency-Key" ? unquoted(value) : value;
  if (id.length <= maxIdLength && /^[\x21-\x7e]+$/.test(id)) return { header, id };
  throw new HttpError(400, `${header} must be 1 to ${maxIdLength} visible ASCII characters.`);
};

const requestIdOf = (request: FastifyRequest): RequestId | undefined => {
  if (isSafeMethod(request.method)) return undefined;
  const [requestId, idempotencyKey] = headerNames.map((header) => idIn(request, header));
  if (requestId && idempotencyKey && requestId.id !== idempotencyKey.id)
    throw new HttpError(400, "X-Request-ID and Idempotency-Key must be the same. One of them is enough.");
  return idempotencyKey ?? requestId;
};

const fingerprintOf = ({ method, url, body }: FastifyRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([method, url, body ?? null]))
    .digest("base64url");

/** Rolls back a write whose request was completed by a concurrent repetition. */
class ConcurrentlyAnswered extends Error {}

export interface IdempotencyDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly seal: Seal;
  readonly feed: Pick<EventFeed, "wake">;
}

/**
 * Executes each identified request of a session or an API token once per day, and answers repetitions with the stored answer
 * (D43). A request without an id or that failed may be repeated. A different request with the same id gets 422
 * (draft-ietf-httpapi-idempotency-key-header). Answers are stored encrypted, because some contain secrets.
 */
export class Idempotency {
  readonly #deps: IdempotencyDeps;

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
  }

  /**
   * Executes a request in one transaction, which also stores its answer: of two concurrent requests the second waits and is
   * rolled back. `prepare` runs before the transaction.
   */
  async write(
    request: FastifyRequest,
    auth: AuthContext,
    prepare: () => Promise<Write<EncodedAnswer>>,
  ): Promise<EncodedAnswer> {
    const { database, feed } = this.#deps;
    return this.#once(request, auth, async (insert) => {
      const write = await prepare();
      const answer = await database.transaction(async (tx) => {
        const encoded = await write(tx);
        if (!(await insert(tx, encoded))) throw new ConcurrentlyAnswered();
        return encoded;
      });
      feed.wake();
      return answer;
    });
  }

  /**
   * Executes a request and stores its answer afterwards, where it is lost if the process stops in between, or where `work` says
   * so in a transaction of its own.
   */
  async run(
    request: FastifyRequest,
    auth: AuthContext,
    work: (storeIn: (tx: Db, answer: EncodedAnswer) => Promise<void>) => Promise<EncodedAnswer>,
  ): Promise<EncodedAnswer> {
    return this.#once(request, auth, async (insert) => {
      let isStored = false;
      const answer = await work(async (tx, encoded) => {
        if (!(await insert(tx, encoded))) throw new ConcurrentlyAnswered();
        isStored = true;
      });
      if (!isStored) await insert(this.#deps.database.db, answer);
      return answer;
    });
  }

  /** `insert` stores an answer; it resolves to false when another request has stored one. */
  async #once(
    request: FastifyRequest,
    auth: AuthContext,
    execute: (insert: (db: Db, answer: EncodedAnswer) => Promise<boolean>) => Promise<EncodedAnswer>,
  ): Promise<EncodedAnswer> {
    const identified = requestIdOf(request);
    if (identified === undefined) return execute(async () => true);
    const { clock, seal } = this.#deps;
    const key = { callerId: auth.callerId, requestId: identified.id };
    const fingerprint = fingerprintOf(request);

    const findStored = async (): Promise<EncodedAnswer | undefined> => {
      const answer = await findResponse(this.#deps.database.db, key);
      if (answer && answer.fingerprint !== fingerprint)
        throw new HttpError(
          422,
          `This ${identified.header} was used for another request. Send a new one with each.`,
        );
      return answer && { status: answer.status, body: seal.open(answer.body, sealContext(key)) };
    };
    const stored = await findStored();
    if (stored) return stored;
    try {
      return await execute((db, { status, body }) =>
        insertResponse(db, key, {
          status,
          body: seal.seal(body, sealContext(key)),
          fingerprint,
          userId: auth.userId,
          now: clock.now(),
        }),
      );
    } catch (error) {
      const concurrent = await findStored();
      if (concurrent) return concurrent;
      throw error;
    }
  }
}
