import type { Generated } from "kysely";
import type { DeliveryState, PauseReason } from "../../../core/webhooks/webhookEndpoints.ts";
import type { WebhookMessageType } from "../../../core/webhooks/webhookEvent.ts";
import type { OutgoingFailure } from "../../platform/outgoing/publicHttpClient.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** An address that a user's events are sent to. */
export interface WebhooksTable {
  id: string;
  user_id: string;
  url: string;
  /** Host and port of the URL, whose share of the concurrent requests is limited. */
  host: string;
  /** Encrypted with the key of the installation. */
  secret: string;
  /** The secret before, which signs too until `earlier_until`; null without one. */
  earlier_secret: string | null;
  earlier_until: Time | null;
  /** A list of `WebhookEvent` as JSON. */
  events: string;
  /** A list of labels as JSON; empty for all masks. */
  labels: string;
  includes_content: Flag;
  /** True if its owner has it switched on. */
  active: Flag;
  /** null while the server has not paused it. */
  paused_because: PauseReason | null;
  /** The first failure since the last success; null without one. */
  failing_since: Time | null;
  created_at: Time;
}

/** A message to a webhook. */
export interface WebhookMessagesTable {
  id: Generated<number>;
  webhook_id: string;
  user_id: string;
  /** That of its webhook. */
  host: string;
  type: WebhookMessageType;
  /** `timestamp` and `data` as JSON, without what `sealed` has. */
  body: string;
  /** Correspondents and, until the message is delivered or given up, content: encrypted with the key of the installation. */
  sealed: string | null;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: Time;
  /** The time from which on a failed attempt is the last one. */
  give_up_at: Time;
  /** The process that is sending it. */
  lease: string | null;
  /** The end of the time in which no other process sends it. */
  leased_until: Generated<Time>;
  /** Of the last attempt; null without an answer. */
  status: number | null;
  /** The reason for which there was no answer, or it was not a success; null for a success. */
  failure: MessageFailure | null;
  answer: string | null;
  duration_ms: number | null;
  created_at: Time;
}

/**
 * The reason for which an attempt failed: there was no answer, the answer was no success, or the server stopped sending or could
 * not.
 */
export type MessageFailure = OutgoingFailure | "status" | "redirect" | "paused" | "overflow" | "unsendable";

declare module "../../platform/store/tables.ts" {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_messages: WebhookMessagesTable;
  }
}
