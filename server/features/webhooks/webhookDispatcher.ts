import { interval } from "rxjs";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { PauseReason } from "../../../core/webhooks/webhookEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { toVisibleLine } from "../../mime/displayName.ts";
import { errorTrace } from "../../platform/ops/log.ts";
import type { OutgoingResult } from "../../platform/outgoing/publicHttpClient.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { silentMs } from "../../platform/store/signsOfLife.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { type SealedPart, sealContext } from "./announce.ts";
import { pausedText } from "./deliveryTexts.ts";
import { maxAnswer, nextAttemptAt, retriedForMs } from "./webhookLimits.ts";
import { createWebhookPlacing } from "./webhookPlaces.ts";
import { giveUpWaiting, hasKey, type MessageRow, type WebhookRow } from "./webhookQueries.ts";
import { secretContext, signedHeaders } from "./webhookSecret.ts";
import type { MessageFailure } from "./webhookTables.ts";
import { createWebhookTurns, type WebhookTurns } from "./webhookTurns.ts";

export type WebhookDispatcherDeps = Pick<
  ServerContext,
  "database" | "clock" | "random" | "log" | "seal" | "hash" | "feed" | "postToPublicHost" | "config"
>;

const pollIntervalMs = 1_000;

/** The first attempt of a message comes a little after it. */
const failingForMs = retriedForMs - 5 * minuteMs;

/** Returns the `webhook-id` of a message, the same for all its attempts. */
export const messageIdOf = (hash: ServerContext["hash"], id: number): string =>
  `msg_${hash("webhook-message", String(id)).slice(0, 27)}`;

interface Attempt {
  readonly message: MessageRow;
  readonly webhook: WebhookRow;
}

interface Outcome {
  readonly status: number | null;
  readonly failure: MessageFailure | null;
  readonly answer: string | null;
  readonly retryAfter: string | null;
}

const outcomeOf = (result: OutgoingResult): Outcome => {
  if ("failure" in result) return { status: null, failure: result.failure, answer: null, retryAfter: null };
  const { status, text, retryAfter } = result;
  const answer = Array.from(toVisibleLine(text)).slice(0, maxAnswer).join("");
  const isSuccess = status >= 200 && status < 300;
  const failure = status >= 300 && status < 400 ? "redirect" : "status";
  return { status, failure: isSuccess ? null : failure, answer, retryAfter };
};

/**
 * Sends the messages to webhooks. Processes share them by leases; one that is sent when its process ends is sent again,
 * with the same `webhook-id`. Messages may overtake each other.
 *
 * NOTE: a lease ends by itself, because an attempt takes seconds at most. The queue of mail has leases without an end
 * (`server/delivery/queue/leaseHolders.ts`): an attempt to deliver a large mail takes as long as the next server
 * does, and a lease that ended meanwhile would have the mail sent twice.
 */
export class WebhookDispatcher {
  readonly #deps: WebhookDispatcherDeps;
  readonly #lease: string;
  readonly #turns: WebhookTurns;
  readonly #placing = createWebhookPlacing();
  readonly #running = new Map<number, Attempt & { readonly beganAt: number; readonly done: Promise<void> }>();
  #stop = new AbortController();
  #isStarted = false;
  #pumping: Promise<void> | null = null;
  #isRerunNeeded = false;

  constructor(deps: WebhookDispatcherDeps) {
    this.#deps = deps;
    this.#lease = newId(deps.random);
    this.#turns = createWebhookTurns(deps.database.db);
  }

  /** Looks for due messages immediately; call it after a commit. */
  readonly wake = (): void => {
    this.#isRerunNeeded = true;
    if (!this.#isStarted || this.#pumping) return;
    this.#pumping = this.#pump()
      .catch((error: unknown) =>
        this.#deps.log.error({ error: errorTrace(error) }, "reading the messages to webhooks failed"),
      )
      .finally(() => {
        this.#pumping = null;
      });
  };

  /** Starts to send and returns the function that stops, which gives back what is being sent. */
  readonly start = (): (() => Promise<void>) => {
    this.#stop = new AbortController();
    this.#isStarted = true;
    const polling = interval(pollIntervalMs, this.#deps.clock.scheduler).subscribe(this.wake);
    this.#releaseOfSqlite().then(this.wake, () => {});
    return async () => {
      this.#isStarted = false;
      polling.unsubscribe();
      await this.#pumping;
      this.#stop.abort();
      await Promise.all([...this.#running.values()].map(({ done }) => done));
    };
  };

  /** Only one process uses SQLite: what is leased was leased by one that has ended. */
  async #releaseOfSqlite(): Promise<void> {
    const { db, engine } = this.#deps.database;
    if (engine.name !== "sqlite") return;
    await db
      .updateTable("webhook_messages")
      .set({ lease: null, leased_until: 0 })
      .where("state", "=", "waiting")
      .where("lease", "is not", null)
      .execute();
  }

  async #pump(): Promise<void> {
    do {
      this.#isRerunNeeded = false;
      for (const attempt of await this.#leaseDue()) {
        this.#isRerunNeeded = true;
        const { id } = attempt.message;
        const done = this.#attempt(attempt)
          .catch((error: unknown) =>
            this.#deps.log.error({ error: errorTrace(error) }, "sending to a webhook failed"),
          )
          .finally(() => {
            this.#running.delete(id);
            this.wake();
          });
        this.#running.set(id, { ...attempt, beganAt: this.#deps.clock.now(), done });
      }
    } while (this.#isStarted && this.#isRerunNeeded);
  }

  /** Leases due messages that are not being sent, one of each user at most, while there are places for them. */
  async #leaseDue(): Promise<readonly Attempt[]> {
    const now = this.#deps.clock.now();
    const running = [...this.#running.values()].map(({ message, beganAt }) => ({
      userId: message.user_id,
      webhookId: message.webhook_id,
      host: message.host,
      beganAt,
    }));
    const places = this.#placing.placesBeside(running, now);
    const most = places.free();
    if (most === 0) return [];
    const chosen = await this.#turns.next({ most, now, running: [...this.#running.keys()] }, places.take);
    return chosen.length === 0 ? [] : this.#leaseThese(chosen.map(({ id }) => id));
  }

  /** Leases messages that no other process has leased meanwhile, without waiting for one that is doing so. */
  async #leaseThese(ids: readonly number[]): Promise<readonly Attempt[]> {
    const { db, engine } = this.#deps.database;
    const now = this.#deps.clock.now();
    const messages = await db
      .with("free", (qb) =>
        qb
          .selectFrom("webhook_messages")
          .where("id", "in", [...ids])
          .where("state", "=", "waiting")
          .where("next_attempt_at", "<=", now)
          .where("leased_until", "<=", now)
          .select("id")
          .$if(engine.name === "postgresql", (query) => query.forUpdate().skipLocked()),
      )
      .updateTable("webhook_messages")
      .set((eb) => ({
        lease: this.#lease,
        leased_until: now + silentMs,
        attempts: eb("attempts", "+", 1),
      }))
      .where("id", "in", (eb) => eb.selectFrom("free").select("id"))
      .returningAll()
      .execute();
    if (messages.length === 0) return [];
    const webhooks = await db
      .selectFrom("webhooks")
      .selectAll()
      .where("id", "in", [...new Set(messages.map(({ webhook_id }) => webhook_id))])
      .execute();
    return messages.flatMap((message) => {
      const webhook = webhooks.find(({ id }) => id === message.webhook_id);
      return webhook ? [{ message, webhook }] : [];
    });
  }

  /** Returns the body to send. Of an account that has got a key meanwhile, without content. */
  async #bodyOf({ message, webhook }: Attempt): Promise<string> {
    const { database, seal } = this.#deps;
    const { timestamp, data } = JSON.parse(message.body) as { timestamp: string; data: { mail?: object } };
    if (message.sealed === null) return JSON.stringify({ type: message.type, timestamp, data });
    const opened = seal.open(message.sealed, sealContext(webhook.id));
    const { people, content } = JSON.parse(opened) as SealedPart;
    const mayHaveContent = webhook.includes_content === 1 && !(await hasKey(database.db, webhook.user_id));
    const mail = { ...data.mail, ...people, ...(mayHaveContent ? content : {}) };
    return JSON.stringify({ type: message.type, timestamp, data: { ...data, mail } });
  }

  #secretsOf({ id, secret, earlier_secret, earlier_until }: WebhookRow): readonly string[] {
    const { seal, clock } = this.#deps;
    const isEarlierValid = earlier_secret !== null && Number(earlier_until) > clock.now();
    return [secret, ...(isEarlierValid ? [earlier_secret] : [])].map((sealed) =>
      seal.open(sealed, secretContext(id)),
    );
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { clock, config, hash, postToPublicHost } = this.#deps;
    const { message, webhook } = attempt;
    const body = await this.#bodyOf(attempt);
    const began = clock.now();
    const signed = { id: messageIdOf(hash, message.id), at: began, body };
    const result = await postToPublicHost({
      url: webhook.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `${config.brand.replaceAll(/[^\w.-]+/g, "-")}-Webhooks`,
        ...signedHeaders(this.#secretsOf(webhook), signed),
      },
      body,
      signal: this.#stop.signal,
    });
    const ms = clock.now() - began;
    this.#placing.recordAnswer(webhook.id, { ms, isAnswered: "status" in result });
    await this.#record(attempt, outcomeOf(result), ms);
  }

  async #record({ message, webhook }: Attempt, outcome: Outcome, durationMs: number): Promise<void> {
    const { database, clock, feed, random } = this.#deps;
    const now = clock.now();
    const { status, failure, answer, retryAfter } = outcome;
    const own = (db: Db) =>
      db
        .updateTable("webhook_messages")
        .where("id", "=", message.id)
        .where("lease", "=", this.#lease)
        .where("state", "=", "waiting");
    if (failure === "stopped") {
      await own(database.db)
        .set((eb) => ({ lease: null, leased_until: 0, attempts: eb("attempts", "-", 1) }))
        .execute();
      return;
    }
    const isTest = message.type === "webhook.test";
    const isGone = status === 410;
    const isFinal = failure === null || isGone || now >= message.give_up_at;
    const result = isFinal
      ? {
          state: failure === null ? ("delivered" as const) : ("failed" as const),
          sealed: this.#withoutContent(message, webhook),
        }
      : {
          next_attempt_at: nextAttemptAt(message.attempts, {
            now,
            fraction: random.fraction(),
            retryAfter,
            giveUpAt: message.give_up_at,
          }),
        };
    const attempt = { lease: null, leased_until: 0, status, failure, answer, duration_ms: durationMs };
    const paused = await database.transaction(async (db) => {
      const { numUpdatedRows } = await own(db)
        .set({ ...attempt, ...result })
        .executeTakeFirst();
      if (numUpdatedRows === 0n || (isTest && failure !== null && !isGone)) return false;
      return recordHealth(db, webhook, { isSuccess: failure === null, isGone }, now);
    });
    if (paused) feed.wake();
  }

  /** Returns what is kept of a message that has been sent or given up. */
  #withoutContent({ sealed }: MessageRow, { id }: WebhookRow): string | null {
    if (sealed === null) return null;
    const { seal } = this.#deps;
    const { people } = JSON.parse(seal.open(sealed, sealContext(id))) as SealedPart;
    return seal.seal(JSON.stringify({ people, content: {} }), sealContext(id));
  }
}

/** Records a failure, or with null a success; returns since when the webhook fails. */
const setFailingSince = async (db: Db, id: string, now: number | null): Promise<number | null> => {
  const own = db.updateTable("webhooks").where("id", "=", id);
  if (now === null) await own.set({ failing_since: null }).where("failing_since", "is not", null).execute();
  else await own.set({ failing_since: now }).where("failing_since", "is", null).execute();
  const row = await db.selectFrom("webhooks").select("failing_since").where("id", "=", id).executeTakeFirst();
  return row?.failing_since == null ? null : Number(row.failing_since);
};

/** Records whether a webhook works, and pauses one that does not; returns whether it was paused. */
const recordHealth = async (
  db: Db,
  webhook: WebhookRow,
  { isSuccess, isGone }: { readonly isSuccess: boolean; readonly isGone: boolean },
  now: number,
): Promise<boolean> => {
  if (isGone) return pause(db, webhook, "gone", now);
  const since = await setFailingSince(db, webhook.id, isSuccess ? null : now);
  return since !== null && now - since >= failingForMs && pause(db, webhook, "failing", now);
};

/** Pauses a webhook and notifies its owner; false when it is off or paused already. */
const pause = async (db: Db, webhook: WebhookRow, because: PauseReason, now: number): Promise<boolean> => {
  const { id, user_id: userId, host } = webhook;
  await lockUser(db, userId);
  const { numUpdatedRows } = await db
    .updateTable("webhooks")
    .set({ paused_because: because })
    .where("id", "=", id)
    .where("active", "=", 1)
    .where("paused_because", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await giveUpWaiting(db, id);
  await addNotification(
    db,
    { userId, type: "warning", priority: "high", message: pausedText(host, because), place: "webhooks" },
    now,
  );
  return true;
};
