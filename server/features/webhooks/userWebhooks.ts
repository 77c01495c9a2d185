import type { Updateable } from "kysely";
import { hourMs } from "../../../core/kernel/durations.ts";
import {
  type WebhookDelivery as Delivery,
  earlierSecretHours,
  maxWebhooks,
  type NewWebhook,
  type Webhook,
  type WebhookEdit,
  type WebhookState,
} from "../../../core/webhooks/webhookEndpoints.ts";
import type { WebhookEvent } from "../../../core/webhooks/webhookEvent.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { MessageDispatcher } from "../../platform/outgoing/messages/messageDispatcher.ts";
import { hostOfTarget } from "../../platform/outgoing/namedTarget.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId, newId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { createdText, describeFailure, testText } from "./deliveryTexts.ts";
import { messageIdOf } from "./webhookDispatcher.ts";
import { retriedForMs } from "./webhookLimits.ts";
import {
  findLastAttempted,
  findMessageRow,
  findWebhookRow,
  giveUpWaiting,
  hasKey,
  insertMessages,
  listMessageRows,
  listWebhookRows,
  type MessageRow,
  newMessageRow,
  type WebhookRow,
} from "./webhookQueries.ts";
import { newWebhookSecret, secretContext } from "./webhookSecret.ts";
import type { WebhookMessagesTable, WebhooksTable } from "./webhookTables.ts";

/** A webhook with the only readable copy of its secret. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** A webhook that a user names as theirs. */
interface OwnWebhook {
  readonly userId: string;
  readonly id: string;
}

const iso = (at: number): string => new Date(Number(at)).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const stateOf = ({ active, paused_because }: WebhookRow): WebhookState => {
  if (active === 0) return "off";
  return paused_because === null ? "on" : "paused";
};

const toWebhook = (row: WebhookRow, lastDelivery: Delivery | null, now: number): Webhook => {
  const state = stateOf(row);
  const isRotating = row.earlier_until !== null && Number(row.earlier_until) > now;
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as readonly WebhookEvent[],
    labels: JSON.parse(row.labels) as readonly string[],
    includesContent: row.includes_content === 1,
    state,
    pausedBecause: state === "paused" ? row.paused_because : null,
    failingSince: isoOrNull(row.failing_since),
    created: iso(row.created_at),
    earlierSecretUntil: isRotating ? isoOrNull(row.earlier_until) : null,
    lastDelivery,
  };
};

const notFound = (): UseCaseError => new UseCaseError("missing", "This webhook no longer exists.");

const getRow = async (db: Db, userId: string, id: string): Promise<WebhookRow> => {
  const row = isId(id) ? await findWebhookRow(db, userId, id) : undefined;
  if (!row) throw notFound();
  return row;
};

const moveMessages = async (db: Db, webhookId: string, host: string): Promise<void> => {
  await db.updateTable("webhook_messages").set({ host }).where("webhook_id", "=", webhookId).execute();
};

/** Switching on resumes a paused webhook. */
const switchColumns = (isOn: boolean): Updateable<WebhooksTable> =>
  isOn ? { active: 1, paused_because: null, failing_since: null } : { active: 0 };

/** Finds a message; throws when it is not listed any more. */
const getMessage = async (db: Db, webhookId: string, id: string): Promise<MessageRow> => {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : -1;
  const message = await findMessageRow(db, webhookId, number);
  if (!message) throw new UseCaseError("missing", "This delivery is not listed any more.");
  return message;
};

/** Returns the columns that make a message due; null for one that is being sent. */
const sendAgainColumns = (
  { type, state, lease }: MessageRow,
  now: number,
): Updateable<WebhookMessagesTable> | null => {
  if (state === "waiting") return lease === null ? { next_attempt_at: now } : null;
  const giveUpAt = type === "webhook.test" ? now : now + retriedForMs;
  return { state: "waiting", give_up_at: giveUpAt, next_attempt_at: now };
};

/** The dependencies of the use cases of webhooks. What a user does not have is "missing". */
export interface WebhookContext extends Pick<ServerContext, "clock" | "random" | "seal" | "hash" | "config"> {
  readonly webhookDelivery: Pick<MessageDispatcher, "wake">;
}

const toDelivery = ({ hash }: Pick<WebhookContext, "hash">, row: MessageRow): Delivery => ({
  id: String(row.id),
  messageId: messageIdOf(hash, row.id),
  event: row.type,
  created: iso(row.created_at),
  state: row.state,
  attempts: row.attempts,
  nextAttempt: row.state === "waiting" ? iso(row.next_attempt_at) : null,
  status: row.status,
  problem: describeFailure(row.failure, row.status),
  answer: row.answer,
  durationMs: row.duration_ms,
});

const readWebhook = async (context: WebhookContext, db: Db, row: WebhookRow): Promise<Webhook> => {
  const last = await findLastAttempted(db, row.id);
  return toWebhook(row, last ? toDelivery(context, last) : null, context.clock.now());
};

/** Returns the columns of a URL; throws when it cannot be sent to. */
const urlColumns = (
  { config }: Pick<WebhookContext, "config">,
  url: string,
): Pick<WebhookRow, "url" | "host"> => ({ url, host: hostOfTarget(url, "url", config.webhookNetworks) });

const toColumns = (
  context: Pick<WebhookContext, "config">,
  edit: Omit<WebhookEdit, "active">,
): Updateable<WebhooksTable> => ({
  ...(edit.url === undefined ? {} : urlColumns(context, edit.url)),
  ...(edit.events === undefined ? {} : { events: JSON.stringify(edit.events) }),
  ...(edit.labels === undefined ? {} : { labels: JSON.stringify(edit.labels) }),
  ...(edit.includesContent === undefined ? {} : { includes_content: edit.includesContent ? 1 : 0 }),
});

const assertMayHaveContent = async (db: Db, userId: string, edit: WebhookEdit): Promise<void> => {
  if (edit.includesContent === true && (await hasKey(db, userId)))
    throw fieldError(
      "invalid",
      "includesContent",
      "Your mail is encrypted to your key, so webhooks never have its content",
    );
};

const change = async (
  context: WebhookContext,
  tx: Db,
  { userId, id }: OwnWebhook,
  columns: Updateable<WebhooksTable>,
): Promise<Webhook> => {
  if (Object.keys(columns).length > 0)
    await tx.updateTable("webhooks").set(columns).where("id", "=", id).execute();
  return readWebhook(context, tx, await getRow(tx, userId, id));
};

export const listUserWebhooks = async (
  context: WebhookContext,
  db: Db,
  userId: string,
): Promise<{ readonly webhooks: readonly Webhook[]; readonly hasKey: boolean }> => {
  const rows = await listWebhookRows(db, userId);
  const webhooks = await Promise.all(rows.map((row) => readWebhook(context, db, row)));
  return { webhooks, hasKey: await hasKey(db, userId) };
};

/**
 * Makes a webhook. Rejects with a conflict beyond 20. The owner is notified, because a stranger in the session could make one
 * too.
 */
export const makeWebhook = async (
  context: WebhookContext,
  tx: Db,
  userId: string,
  wanted: NewWebhook,
): Promise<WebhookWithSecret> => {
  const { clock, random, seal } = context;
  const id = newId(random);
  const secret = newWebhookSecret(random);
  const now = clock.now();
  await lockUser(tx, userId);
  if ((await listWebhookRows(tx, userId)).length >= maxWebhooks)
    throw new UseCaseError(
      "conflict",
      `You have ${maxWebhooks} webhooks. Delete one that you no longer use.`,
    );
  await assertMayHaveContent(tx, userId, wanted);
  const { url, host } = urlColumns(context, wanted.url);
  await tx
    .insertInto("webhooks")
    .values({
      id,
      user_id: userId,
      url,
      host,
      secret: seal.seal(secret, secretContext(id)),
      earlier_secret: null,
      earlier_until: null,
      events: JSON.stringify(wanted.events),
      labels: JSON.stringify(wanted.labels),
      includes_content: wanted.includesContent ? 1 : 0,
      active: 1,
      paused_because: null,
      failing_since: null,
      created_at: now,
    })
    .execute();
  const message = createdText(host);
  await addNotification(tx, { userId, type: "security", priority: "high", message, place: "webhooks" }, now);
  return { webhook: await change(context, tx, { userId, id }, {}), secret };
};

export const editWebhook = async (
  context: WebhookContext,
  tx: Db,
  { userId, id }: OwnWebhook,
  { active, ...edit }: WebhookEdit,
): Promise<Webhook> => {
  await lockUser(tx, userId);
  await getRow(tx, userId, id);
  await assertMayHaveContent(tx, userId, edit);
  const columns = toColumns(context, edit);
  if (columns.host !== undefined) await moveMessages(tx, id, columns.host);
  if (active === false) await giveUpWaiting(tx, id);
  const switched = active === undefined ? {} : switchColumns(active);
  return change(context, tx, { userId, id }, { ...columns, ...switched });
};

export const removeWebhook = async (tx: Db, { userId, id }: OwnWebhook): Promise<void> => {
  await getRow(tx, userId, id);
  await tx.deleteFrom("webhooks").where("id", "=", id).where("user_id", "=", userId).execute();
};

export const rotateSecret = async (
  context: WebhookContext,
  tx: Db,
  { userId, id }: OwnWebhook,
): Promise<WebhookWithSecret> => {
  const { clock, random, seal } = context;
  await lockUser(tx, userId);
  const { secret: earlier } = await getRow(tx, userId, id);
  const secret = newWebhookSecret(random);
  const columns = {
    secret: seal.seal(secret, secretContext(id)),
    earlier_secret: earlier,
    earlier_until: clock.now() + earlierSecretHours * hourMs,
  };
  return { webhook: await change(context, tx, { userId, id }, columns), secret };
};

/** Sends a message that says that it is a test. */
export const sendTestMessage = async (
  context: WebhookContext,
  tx: Db,
  { userId, id }: OwnWebhook,
): Promise<Delivery> => {
  const now = context.clock.now();
  const row = await getRow(tx, userId, id);
  const body = JSON.stringify({
    timestamp: iso(now),
    data: { webhook: { id }, text: testText },
  });
  await insertMessages(tx, [
    newMessageRow(row, "webhook.test", { body, sealed: null }, { now, giveUpAt: now }),
  ]);
  const [message] = await listMessageRows(tx, id);
  if (!message) throw notFound();
  afterCommit(tx, context.webhookDelivery.wake);
  return toDelivery(context, message);
};

export const listDeliveries = async (
  context: WebhookContext,
  db: Db,
  { userId, id }: OwnWebhook,
): Promise<readonly Delivery[]> => {
  await getRow(db, userId, id);
  return (await listMessageRows(db, id)).map((row) => toDelivery(context, row));
};

/** Sends a listed message once more. Rejects with a conflict while the webhook is off. */
export const sendMessageAgain = async (
  context: WebhookContext,
  tx: Db,
  { userId, id }: OwnWebhook,
  messageId: string,
): Promise<Delivery> => {
  const now = context.clock.now();
  const webhook = await getRow(tx, userId, id);
  const message = await getMessage(tx, id, messageId);
  if (message.type !== "webhook.test" && stateOf(webhook) !== "on")
    throw new UseCaseError("conflict", "Switch the webhook on first.");
  const columns = sendAgainColumns(message, now);
  if (columns) await tx.updateTable("webhook_messages").set(columns).where("id", "=", message.id).execute();
  afterCommit(tx, context.webhookDelivery.wake);
  return toDelivery(context, await getMessage(tx, id, messageId));
};
