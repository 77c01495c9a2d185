import type { Insertable, Selectable } from "kysely";
import { listedDeliveries } from "../../../core/webhooks/webhookEndpoints.ts";
import type { WebhookEvent, WebhookMessageType } from "../../../core/webhooks/webhookEvent.ts";
import type { Prune } from "../../platform/ops/housekeeping.ts";
import type { Db } from "../../platform/store/database.ts";
import { maxWaiting } from "./webhookLimits.ts";
import type { WebhookMessagesTable, WebhooksTable } from "./webhookTables.ts";

export type WebhookRow = Selectable<WebhooksTable>;
export type MessageRow = Selectable<WebhookMessagesTable>;

/** Returns a user's webhooks, newest first. */
export const listWebhookRows = (db: Db, userId: string): Promise<WebhookRow[]> =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

export const findWebhookRow = (db: Db, userId: string, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom("webhooks").selectAll().where("user_id", "=", userId).where("id", "=", id).executeTakeFirst();

/** True if an account has a key, so that nothing readable of its mail may leave. */
export const hasKey = async (db: Db, userId: string): Promise<boolean> =>
  (await db.selectFrom("public_keys").select("user_id").where("user_id", "=", userId).executeTakeFirst()) !==
  undefined;

/** Returns the webhooks of users that are sent to. */
export const findActiveWebhooks = (db: Db, userIds: readonly string[]): Promise<WebhookRow[]> =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("user_id", "in", [...userIds])
    .where("active", "=", 1)
    .where("paused_because", "is", null)
    .execute();

/** The most rows of one statement. */
const rowsAtOnce = 500;

export const insertMessages = async (
  db: Db,
  rows: readonly Insertable<WebhookMessagesTable>[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db
      .insertInto("webhook_messages")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
};

/** A message that is due at once. */
export const newMessageRow = (
  { id, user_id, host }: Pick<WebhookRow, "id" | "user_id" | "host">,
  type: WebhookMessageType,
  { body, sealed }: Pick<MessageRow, "body" | "sealed">,
  { now, giveUpAt }: { readonly now: number; readonly giveUpAt: number },
): Insertable<WebhookMessagesTable> => ({
  webhook_id: id,
  user_id,
  host,
  type,
  body,
  sealed,
  state: "waiting",
  attempts: 0,
  next_attempt_at: now,
  give_up_at: giveUpAt,
  lease: null,
  status: null,
  failure: null,
  answer: null,
  duration_ms: null,
  created_at: now,
});

/** Returns the last messages of a webhook, newest first. */
export const listMessageRows = (db: Db, webhookId: string): Promise<MessageRow[]> =>
  db
    .selectFrom("webhook_messages")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .orderBy("id", "desc")
    .limit(listedDeliveries)
    .execute();

/** Returns the newest message of a webhook of which an attempt has ended. */
export const findLastAttempted = (db: Db, webhookId: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom("webhook_messages")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .where("duration_ms", "is not", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

export const findMessageRow = (db: Db, webhookId: string, id: number): Promise<MessageRow | undefined> =>
  db
    .selectFrom("webhook_messages")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .where("id", "=", id)
    .executeTakeFirst();

/** Gives up what waits for a webhook that is no longer sent to; its content is deleted. */
export const giveUpWaiting = async (db: Db, webhookId: string): Promise<void> => {
  await db
    .updateTable("webhook_messages")
    .set({ state: "failed", failure: "paused", sealed: null, lease: null })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "waiting")
    .where("type", "!=", "webhook.test")
    .execute();
};

/** Returns the id of the n-th newest message of a webhook in some states; undefined when there are fewer. */
const findNthNewest = async (
  db: Db,
  webhookId: string,
  states: readonly MessageRow["state"][],
  n: number,
): Promise<number | undefined> =>
  (
    await db
      .selectFrom("webhook_messages")
      .select("id")
      .where("webhook_id", "=", webhookId)
      .where("state", "in", [...states])
      .orderBy("id", "desc")
      .offset(n - 1)
      .limit(1)
      .executeTakeFirst()
  )?.id;

/** Deletes finished messages that are not listed any more, and gives up the oldest of too many that wait. */
export const pruneMessages: Prune = async (db) => {
  const long = await db
    .selectFrom("webhook_messages")
    .select("webhook_id")
    .groupBy("webhook_id")
    .having(({ fn }) => fn.countAll(), ">", listedDeliveries)
    .execute();
  for (const { webhook_id } of long) {
    const lastWaiting = await findNthNewest(db, webhook_id, ["waiting"], maxWaiting);
    if (lastWaiting !== undefined)
      await db
        .updateTable("webhook_messages")
        .set({ state: "failed", failure: "overflow", sealed: null, lease: null })
        .where("webhook_id", "=", webhook_id)
        .where("state", "=", "waiting")
        .where("id", "<", lastWaiting)
        .execute();
    const lastListed = await findNthNewest(db, webhook_id, ["delivered", "failed"], listedDeliveries);
    if (lastListed !== undefined)
      await db
        .deleteFrom("webhook_messages")
        .where("webhook_id", "=", webhook_id)
        .where("state", "!=", "waiting")
        .where("id", "<", lastListed)
        .execute();
  }
};

/** True if a webhook wants an event of a mask with labels. */
export const wantsEvent = (
  { events, labels }: Pick<WebhookRow, "events" | "labels">,
  event: WebhookEvent,
  maskLabels: readonly string[],
): boolean => {
  const wanted = JSON.parse(labels) as readonly string[];
  return (
    (JSON.parse(events) as readonly string[]).includes(event) &&
    (wanted.length === 0 || wanted.some((label) => maskLabels.includes(label)))
  );
};
