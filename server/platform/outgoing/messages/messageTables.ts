import type { RawBuilder } from "kysely";

/**
 * The tables of messages that wait for receivers of users. A receiver has `id` and `user_id`; a message has `id`, `user_id`,
 * `host`, its receiver, `attempts`, `next_attempt_at`, `give_up_at`, `lease` and `leased_until`.
 */
export interface MessageTables {
  readonly messages: string;
  readonly receivers: string;
  /** The column of a message that names its receiver. */
  readonly receiver: string;
  /** True for a message of this name that is to be sent. */
  readonly isWaiting: (message: string) => RawBuilder<unknown>;
  /** True if the message "waiting" may be sent to the receiver "receiver" now. */
  readonly isOpen: RawBuilder<unknown>;
}

/** The columns of a message that is being sent. */
export interface LeasedMessage {
  readonly id: number;
  readonly user_id: string;
  readonly host: string;
  readonly attempts: number;
  readonly give_up_at: number;
}
