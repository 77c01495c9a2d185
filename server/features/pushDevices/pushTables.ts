import type { Generated } from "kysely";
import type { PushKind } from "../../../core/push/pushKind.ts";
import type { Flag, Time } from "../../platform/store/tables.ts";

/** A browser of a user that gets push notifications. */
export interface PushDevicesTable {
  id: string;
  user_id: string;
  /** The session that it was seen in last, with whose logout it ends; null once that has expired. */
  session_id: string | null;
  /** The hash of its endpoint. */
  mark: string;
  /** Host and port of its push service, whose share of the concurrent requests is limited. */
  host: string;
  /** JSON of its endpoint and keys, encrypted with the key of the installation. */
  sealed: string;
  /** A list of `PushKind` as JSON. */
  kinds: string;
  /** A list of ids of masks as JSON. */
  masks: string;
  /** `QuietHours` as JSON; null without any. */
  quiet_hours: string | null;
  shows_sender: Flag;
  user_agent: string;
  created_at: Time;
  last_sent_at: Time | null;
}

/** A push notification that waits for a device; deleted once it is sent or given up. */
export interface PushMessagesTable {
  id: Generated<number>;
  device_id: string;
  user_id: string;
  /** That of its device. */
  host: string;
  kind: PushKind | "test";
  /** `PushFacts` as JSON. */
  body: string;
  /** Sender and subject of a mail, encrypted with the key of the installation; null where the device shows none. */
  sealed: string | null;
  attempts: Generated<number>;
  next_attempt_at: Time;
  /** The time from which on a failed attempt is the last one. */
  give_up_at: Time;
  /** The process that is sending it. */
  lease: Generated<string | null>;
  /** The end of the time in which no other process sends it. */
  leased_until: Generated<Time>;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    push_devices: PushDevicesTable;
    push_messages: PushMessagesTable;
  }
}
