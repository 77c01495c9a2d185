import { sql, type Updateable } from "kysely";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { PauseReason } from "../../../core/webhooks/webhookEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { toVisibleLine } from "../../mime/displayName.ts";
import {
  type Attempt,
  type AttemptLease,
  createMessageDispatcher,
  type MessageDispatcher,
} from "../../platform/outgoing/messages/messageDispatcher.ts";
import type { MessageTables } from "../../platform/outgoing/messages/messageTables.ts";
import { nextAttemptAt } from "../../platform/outgoing/messages/nextAttempt.ts";
import type { OutgoingResult } from "../../platform/outgoing/publicHttpClient.ts";
import type { Db } from "../../platform/store/database.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { type SealedPart, sealContext } from "./announce.ts";
import { pausedText } from "./deliveryTexts.ts";
import { allPlaces, maxAnswer, retriedForMs, unprovenPlaces } from "./webhookLimits.ts";
import { giveUpWaiting, hasKey, type MessageRow, type WebhookRow } from "./webhookQueries.ts";
import { secretContext, signedHeaders } from "./webhookSecret.ts";
import type { MessageFailure, WebhookMessagesTable } from "./webhookTables.ts";

export type WebhookDispatcherDeps = Pick<
  ServerContext,
  "database" | "clock" | "random" | "log" | "seal" | "hash" | "feed" | "postToPublicHost" | "config"
>;

/** The first attempt of a message comes a little after it. */
const failingForMs = retriedForMs - 5 * minuteMs;

/** Returns the `webhook-id` of a message, the same for all its attempts. */
export const messageIdOf = (hash: ServerContext["hash"], id: number): string =>
  `msg_${hash("webhook-message", String(id)).slice(0, 27)}`;

type WebhookAttempt = Attempt<MessageRow, WebhookRow>;

const messageTables: MessageTables = {
  messages: "webhook_messages",
  receivers: "webhooks",
  receiver: "webhook_id",
  isWaiting: (message) => sql`${sql.ref(`${message}.state`)} = 'waiting'`,
  isOpen: sql`waiting.type = 'webhook.test' or (receiver.active = 1 and receiver.paused_because is null)`,
};

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

/** Columns of an attempt that has ended. */
type EndedAttempt = Pick<Updateable<WebhookMessagesTable>, "status" | "failure" | "answer" | "duration_ms">;

/** Creates what sends the messages to webhooks; one that is sent again has the same `webhook-id`. */
export const createWebhookDispatcher = (deps: WebhookDispatcherDeps): MessageDispatcher => {
  const { database, seal, clock, config, hash, feed, random, postToPublicHost } = deps;

  /** Returns the body to send. Of an account that has got a key meanwhile, without content. */
  const bodyOf = async ({ message, receiver: webhook }: WebhookAttempt): Promise<string> => {
    const { timestamp, data } = JSON.parse(message.body) as { timestamp: string; data: { mail?: object } };
    if (message.sealed === null) return JSON.stringify({ type: message.type, timestamp, data });
    const opened = seal.open(message.sealed, sealContext(webhook.id));
    const { people, content } = JSON.parse(opened) as SealedPart;
    const mayHaveContent = webhook.includes_content === 1 && !(await hasKey(database.db, webhook.user_id));
    const mail = { ...data.mail, ...people, ...(mayHaveContent ? content : {}) };
    return JSON.stringify({ type: message.type, timestamp, data: { ...data, mail } });
  };

  const secretsOf = ({ id, secret, earlier_secret, earlier_until }: WebhookRow): readonly string[] => {
    const isEarlierValid = earlier_secret !== null && Number(earlier_until) > clock.now();
    return [secret, ...(isEarlierValid ? [earlier_secret] : [])].map((sealed) =>
      seal.open(sealed, secretContext(id)),
    );
  };

  /** Returns what is kept of a message that has been sent or given up. */
  const withoutContent = ({ sealed }: MessageRow, { id }: WebhookRow): string | null => {
    if (sealed === null) return null;
    const { people } = JSON.parse(seal.open(sealed, sealContext(id))) as SealedPart;
    return seal.seal(JSON.stringify({ people, content: {} }), sealContext(id));
  };

  const record = async (
    { message, receiver: webhook }: WebhookAttempt,
    { isOwn }: AttemptLease,
    { status, failure, answer, retryAfter, ms }: Outcome & { readonly ms: number },
  ): Promise<void> => {
    const now = clock.now();
    const isTest = message.type === "webhook.test";
    const isGone = status === 410;
    const isFinal = failure === null || isGone || now >= message.give_up_at;
    const result = isFinal
      ? {
          state: failure === null ? ("delivered" as const) : ("failed" as const),
          sealed: withoutContent(message, webhook),
        }
      : {
          next_attempt_at: nextAttemptAt(message.attempts, {
            now,
            fraction: random.fraction(),
            retryAfter,
            giveUpAt: message.give_up_at,
          }),
        };
    const ended: EndedAttempt = { status, failure, answer, duration_ms: ms };
    const paused = await database.transaction(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable("webhook_messages")
        .set({ lease: null, leased_until: 0, ...ended, ...result })
        .where(isOwn)
        .executeTakeFirst();
      if (numUpdatedRows === 0n || (isTest && failure !== null && !isGone)) return false;
      return recordHealth(db, webhook, { isSuccess: failure === null, isGone }, now);
    });
    if (paused) feed.wake();
  };

  return createMessageDispatcher<MessageRow, WebhookRow>(deps, {
    tables: messageTables,
    places: { all: allPlaces, unproven: unprovenPlaces },
    to: "webhooks",
    receiverIdOf: ({ webhook_id: id }) => id,
    findReceivers: (db, ids) =>
      db
        .selectFrom("webhooks")
        .selectAll()
        .where("id", "in", [...ids])
        .execute(),
    giveUp: async (_, { isOwn }) => {
      await database.db
        .updateTable("webhook_messages")
        .set({ state: "failed", failure: "unsendable", sealed: null, lease: null, leased_until: 0 })
        .where(isOwn)
        .execute();
    },
    send: async (attempt, lease) => {
      const { message, receiver: webhook } = attempt;
      const body = await bodyOf(attempt);
      const began = clock.now();
      const signed = { id: messageIdOf(hash, message.id), at: began, body };
      const result = await postToPublicHost({
        url: webhook.url,
        headers: {
          "content-type": "application/json",
          "user-agent": `${config.brand.replaceAll(/[^\w.-]+/g, "-")}-Webhooks`,
          ...signedHeaders(secretsOf(webhook), signed),
        },
        body,
        signal: lease.signal,
      });
      const ms = clock.now() - began;
      const isStopped = "failure" in result && result.failure === "stopped";
      return {
        took: isStopped ? null : { ms, isAnswered: "status" in result },
        record: () => record(attempt, lease, { ...outcomeOf(result), ms }),
      };
    },
  });
};

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
