import type { Generated } from "kysely";
import type { ActionLinkPlace } from "../../../core/mail/actionLinkPlace.ts";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { SenderShown } from "../../../core/mail/forwardedFrom.ts";
import type { UnsubscribeMode } from "../../../core/mail/unsubscribeMode.ts";
import type { LogMode } from "../../../core/mailLog/logEntry.ts";
import type { KeyOfferAnswer } from "../../../core/session/keyOfferAnswer.ts";
import type { PasskeyOfferAnswer } from "../../../core/session/passkeyOfferAnswer.ts";

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Time = number;
/** 0 or 1, because both databases store that the same way. */
export type Flag = number;

export interface UsersTable {
  id: string;
  email: string;
  /** The address as written by `mailboxKey`; unique. */
  email_key: MailboxKey;
  tier: string;
  key_status: string;
  /** The answer of a user without a key to the offer to encrypt mail; null before. */
  key_offer: Generated<KeyOfferAnswer | null>;
  two_factor: Flag;
  /** The random id that passkeys know the user by; null before the first passkey. */
  passkey_handle: Generated<string | null>;
  /** True if a code by mail alone no longer logs in. */
  passkeys_only: Generated<Flag>;
  /** A `PasskeyOfferAnswer`: what the user has answered to the offer of a passkey; null before. */
  passkey_offer: Generated<PasskeyOfferAnswer | null>;
  /** Changes with the creation or deletion of a mask, so that parallel requests cannot exceed the plan (D34). */
  mask_count: number;
  /** The payment provider's status of the subscription; "active" for users who do not pay. */
  subscription_status: Generated<string>;
  pays: Generated<Flag>;
  /** The time at which a canceled plan ends; null for a plan that renews. */
  plan_ends_at: Generated<Time | null>;
  /** The time at which the user changed to the current plan; 0 if never. */
  plan_changed_at: Generated<Time>;
  /** The tier that the operator assigned; null for the default tier. */
  assigned_tier: Generated<string | null>;
  /** A suspended account can neither sign in nor receive mail. */
  suspended: Generated<Flag>;
  sender_shown: Generated<SenderShown>;
  /** The place of links in forwarded mail that act on its mask. */
  action_links: Generated<ActionLinkPlace>;
  /** The effect of "Unsubscribe" on forwarded mail of mailing lists. */
  unsubscribe: Generated<UnsubscribeMode>;
  /** True if answers to the calendars in forwarded mail go through the mask. */
  calendars_through_mask: Generated<Flag>;
  /** True if mail with a tag behind the name of a mask is taken. */
  mask_tags: Generated<Flag>;
  /** A `MaskFormat` as JSON; null while none is chosen. */
  mask_format: Generated<string | null>;
  /** The `MaskListSettings` of all devices as JSON; null while none are chosen. */
  mask_list_settings: Generated<string | null>;
  /** True if the user gets a mail about newly held mail, once a day at most. */
  held_notices: Generated<Flag>;
  held_noticed_at: Generated<Time | null>;
  /** The part of senders that the log of the user's mail keeps; "off" without a log. */
  mail_log: Generated<LogMode>;
  /** True if the last mails of the user's masks are kept for a day to test rules with. */
  keep_last_mails: Generated<Flag>;
  /** True if codes in the mail of all masks are shown. */
  show_codes: Generated<Flag>;
  /** The end of the time in which replies are refused because too many failed; null if never. */
  replies_paused_until: Generated<Time | null>;
  /** True if the account may open the operator's page. */
  is_operator: Generated<Flag>;
  created_at: Time;
}

/** The response to a request with an X-Request-ID (D43), which answers repetitions of that request. */
export interface IdempotentAnswersTable {
  /** The session or the API token. */
  session_id: string;
  /** The client's X-Request-ID. */
  request_id: string;
  user_id: string;
  /** Hash of method, path and body. */
  fingerprint: string;
  status: number;
  /** Encrypted, because a response may contain a secret that is shown only once. */
  body: string;
  created_at: Time;
}

/** Changes of users' data, read by every process with sockets. */
export interface EventsTable {
  id: Generated<number>;
  user_id: string;
  resource: string;
  resource_id: string | null;
  action: string;
  /** The client that got the change in its answer. */
  client_id: string | null;
  created_at: Time;
}

export interface InstallationTable {
  /** "this": there is one row. */
  id: string;
  /** A keyed hash of the installation's keys. */
  keys_mark: string;
  mask_domain: string;
  /** The time at which the addresses of masks were last searched for those that nobody should have; null before. */
  names_checked_at: Generated<Time | null>;
}

/** A task that processes share. */
export interface TasksTable {
  name: string;
  /** The claim of the process that runs it; null while none does. */
  holder: Generated<string | null>;
  /** The time at which the claim ends unless it is renewed, by the clock of the database. */
  held_until: Generated<Time>;
  /** The time at which a process has finished it last, by the clock of the database; 0 before. */
  finished_at: Generated<Time>;
}

/** Something that works once, such as a challenge of a passkey or an offered address, and was used. */
export interface UsedMarksTable {
  /** A keyed hash that stands for it. */
  hash: string;
  expires_at: Time;
}

/**
 * The tables of the database. Each noun adds its own by `declare module` in the file `tables.ts` of its folder, in the
 * lowest room that uses them; `server/app/databaseTables.ts` lists these files.
 */
export interface Tables {
  users: UsersTable;
  idempotent_answers: IdempotentAnswersTable;
  used_marks: UsedMarksTable;
  events: EventsTable;
  installation: InstallationTable;
  tasks: TasksTable;
}
