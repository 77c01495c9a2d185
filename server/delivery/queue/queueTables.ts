import type { Generated } from "kysely";
import type { Flag, Time } from "../../platform/store/tables.ts";

/**
 * A held mail keeps its content for its owner; see `held_mails`. An unsent reply is as its owner wrote it, encrypted with the
 * installation's key: it has their address in it and is never delivered from here.
 */
export type QueueStatus = "waiting" | "delivered" | "failed" | "held" | "unsent";

/** A mail in the delivery queue: one row for each recipient, complete as it will be sent. */
export interface QueueTable {
  id: string;
  /** null for system mail such as codes and confirmations. */
  user_id: string | null;
  mask_id: string | null;
  envelope_sender: string;
  recipient: string;
  /** The whole mail when it has no body in `bodies`; null for others, and once it is no longer needed. */
  content: Uint8Array | null;
  body_id: Generated<string | null>;
  /** The part of the body that belongs to this copy only; 0 when the copy is the whole body. */
  body_head: Generated<number>;
  /** Bytes of the copy. */
  size: number;
  status: QueueStatus;
  attempts: number;
  next_attempt_at: Time;
  /** The process that is sending it, while it is in `lease_holders`. */
  lease: string | null;
  /** No longer used: always 0. */
  leased_until: Time;
  /** The next hop's last response, without addresses. */
  last_answer: string | null;
  /** The authenticated sender that a report about a failed delivery may go to; null when there is none. */
  report_to: Generated<string | null>;
  /** The time at which the owner was notified that it is not delivered yet; null before. */
  delay_noticed_at: Generated<Time | null>;
  /** The entry of the log that its delivery is added to; null for mail that is not logged. */
  log_id: Generated<string | null>;
  /** The network that sent it, while it is stored; null where it is not limited, and for mail of the owner. */
  network: Generated<string | null>;
  /** True if its bytes are in `kept_bytes`: not of mail on its way to its first attempt. */
  counted: Generated<Flag>;
  created_at: Time;
  finished_at: Time | null;
}

/**
 * The content of queued mails, written once and never changed. Parts from 0 on are the bytes that an id's
 * copies share, in order; each negative part is the beginning of one copy.
 */
export interface BodiesTable {
  id: string;
  part: number;
  /** null when the content is elsewhere: in its segment, or in the file or object of the same id. */
  content: Uint8Array | null;
  file_key: string | null;
  /** null without one; else the place of the content in it. */
  segment: string | null;
  segment_start: number | null;
  /** Bytes. */
  segment_length: number | null;
  /** Bytes omitted at the beginning of the file. */
  skip: Generated<number>;
}

/** Bytes of mail that are kept for an account: of the network, or of all with the empty network. */
export interface KeptBytesTable {
  user_id: string;
  network: string;
  bytes: number;
  /** Those in the archive. */
  archived: number;
}

/** Bytes of mail of a network that are kept for all accounts. */
export interface NetworkBytesTable {
  network: string;
  bytes: number;
}

/** A process that delivers mail. */
export interface LeaseHoldersTable {
  id: string;
  /** Increases while the process runs. */
  beat: number;
  /** The counter as a process saw it last. */
  seen_beat: Generated<number>;
  /** The time of `lease_clock` when it had last changed. */
  seen_at: Generated<number>;
}

/** One row: the time in which processes watch each other. */
export interface LeaseClockTable {
  id: number;
  /** Milliseconds in which a process was seen. */
  elapsed: number;
  /** The clock of the database when it was counted last. */
  read_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    queue: QueueTable;
    bodies: BodiesTable;
    kept_bytes: KeptBytesTable;
    network_bytes: NetworkBytesTable;
    lease_holders: LeaseHoldersTable;
    lease_clock: LeaseClockTable;
  }
}
