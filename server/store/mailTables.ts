// Mail on its way or kept, and what is told about it.
import type { Generated } from "kysely";
import type { Flag, Time } from "./columns.ts";

/** A mail kept here instead of sent on. */
export interface ArchivedMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  read: Flag;
  created_at: Time;
  /** Kept at least until then, whatever the plan is by then; null: as long as the plan says. */
  keep_until: Generated<Time | null>;
}

/** A mail that waits for the hourly one. */
export interface DigestMailsTable {
  id: string;
  user_id: string;
  mask_id: string;
  recipient: string;
  content: Uint8Array;
  /** Bytes. */
  size: number;
  created_at: Time;
}

export type QueueStatus = "waiting" | "delivered" | "failed";

/** A mail on its way out: one row for each destination, complete as it will be sent. */
export interface QueueTable {
  id: string;
  /** null for mail of our own: codes, confirmations. */
  user_id: string | null;
  mask_id: string | null;
  envelope_sender: string;
  recipient: string;
  /** null once nothing needs it any more. */
  content: Uint8Array | null;
  size: number;
  status: QueueStatus;
  attempts: number;
  next_attempt_at: Time;
  /** Who is sending it now, until when. */
  lease: string | null;
  leased_until: Time;
  /** The next hop's last answer, without addresses. */
  last_answer: string | null;
  created_at: Time;
  finished_at: Time | null;
}

export interface NotificationsTable {
  id: Generated<number>;
  user_id: string;
  type: string;
  priority: string;
  message: string;
  created_at: Time;
  read_at: Time | null;
}

/** What has changed for whom: read by every process that holds sockets. */
export interface EventsTable {
  id: Generated<number>;
  user_id: string;
  resource: string;
  resource_id: string | null;
  action: string;
  created_at: Time;
}
