import type {
  ArrivedMail,
  MaskState,
  MessageContent,
  SentMail,
  WebhookEvent,
} from "../../../core/webhooks/webhookEvent.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { retriedForMs } from "./webhookLimits.ts";
import {
  findActiveWebhooks,
  hasKey,
  insertMessages,
  newMessageRow,
  type WebhookRow,
  wantsEvent,
} from "./webhookQueries.ts";

/** The encrypted part of a mail in a message: its correspondents, and content until the message has been sent. */
export interface SealedPart {
  readonly people: Partial<Pick<ArrivedMail["mail"], "from"> & Pick<SentMail["mail"], "to">>;
  readonly content: MessageContent;
}

/** Something that happened, for the webhooks of a user that want it. */
export interface Occurrence {
  readonly userId: string;
  readonly event: WebhookEvent;
  readonly data: ArrivedMail | SentMail | MaskState;
  /** Besides `data`; null where nothing is to be hidden. */
  readonly sealed: SealedPart | null;
}

/** Returns the context that the encryption of a message is bound to. */
export const sealContext = (webhookId: string): string => `webhook message of ${webhookId}`;

const noContent: MessageContent = {};

/**
 * Stores the messages about what happened, in the transaction of their cause. An account with a key has its mail's content
 * in none.
 */
export const announce = async (
  db: Db,
  seal: Pick<Seal, "seal">,
  occurrences: readonly Occurrence[],
  now: number,
): Promise<void> => {
  if (occurrences.length === 0) return;
  const webhooks = await findActiveWebhooks(db, [...new Set(occurrences.map(({ userId }) => userId))]);
  if (webhooks.length === 0) return;
  const withKey = new Set<string>();
  for (const userId of new Set(webhooks.map(({ user_id }) => user_id)))
    if (await hasKey(db, userId)) withKey.add(userId);
  const sealFor = (webhook: WebhookRow, part: SealedPart | null): string | null => {
    if (part === null) return null;
    const mayHaveContent = webhook.includes_content === 1 && !withKey.has(webhook.user_id);
    const kept: SealedPart = { ...part, content: mayHaveContent ? part.content : noContent };
    return seal.seal(JSON.stringify(kept), sealContext(webhook.id));
  };
  const timestamp = new Date(now).toISOString();
  await insertMessages(
    db,
    occurrences.flatMap(({ userId, event, data, sealed }) =>
      webhooks
        .filter((webhook) => webhook.user_id === userId && wantsEvent(webhook, event, data.mask.labels))
        .map((webhook) => {
          const content = { body: JSON.stringify({ timestamp, data }), sealed: sealFor(webhook, sealed) };
          return newMessageRow(webhook, event, content, { now, giveUpAt: now + retriedForMs });
        }),
    ),
  );
};

const maskEvents = { created: "mask.made", updated: "mask.changed", deleted: "mask.deleted" } as const;

const nothingSealed: Pick<Seal, "seal"> = { seal: (text) => text };

/** The most ids of one statement. */
const idsAtOnce = 1_000;

/** Stores the messages about changed masks of a user, deleted ones included as long as they are in the trash. */
export const announceMasks = async (
  db: Db,
  userId: string,
  { action, maskIds }: { readonly action: keyof typeof maskEvents; readonly maskIds: readonly string[] },
  now: number,
): Promise<void> => {
  if (maskIds.length === 0 || (await findActiveWebhooks(db, [userId])).length === 0) return;
  for (let from = 0; from < maskIds.length; from += idsAtOnce) {
    const masks = await db
      .selectFrom("masks")
      .select(["id", "email", "labels", "active"])
      .where("user_id", "=", userId)
      .where("id", "in", maskIds.slice(from, from + idsAtOnce))
      .execute();
    const occurrences = masks.map(({ id, email, labels, active }) => ({
      userId,
      event: maskEvents[action],
      data: {
        mask: { id, address: email, labels: JSON.parse(labels) as readonly string[] },
        isActive: active === 1,
      },
      sealed: null,
    }));
    await announce(db, nothingSealed, occurrences, now);
  }
};
