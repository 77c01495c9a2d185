import * as t from "io-ts";
import type { ApiScope } from "../api/apiScope.ts";
import { endpoint } from "../api/endpoint.ts";
import { MailCode } from "../mail/mailCode.ts";
import { Notification } from "../notifications/notification.ts";
import { DataUpdate, ReadStatus } from "./messages.ts";

const sent = t.type({ timestamp: t.number });

/** The JSON of an event of `GET /events`: a message as the socket sends it, or `reset`. */
export const StreamedMessage = t.union([
  t.intersection([t.type({ type: t.literal("data_update"), data: DataUpdate }), sent]),
  t.intersection([t.type({ type: t.literal("code"), data: MailCode }), sent]),
  t.intersection([t.type({ type: t.literal("notification"), data: Notification }), sent]),
  t.intersection([t.type({ type: t.literal("read_status_updated"), data: ReadStatus }), sent]),
  /** Changes may be missing before this event: read anew what you keep. */
  t.intersection([t.type({ type: t.literal("reset"), data: t.type({ message: t.string }) }), sent]),
]);
export type StreamedMessage = t.TypeOf<typeof StreamedMessage>;

/** The scope with which an API token is told of a resource; it can read nothing more of it in other calls. */
export const scopeOfResource: Readonly<Record<string, ApiScope | undefined>> = {
  masks: "masks:read",
  rules: "masks:read",
  "account-rules": "masks:read",
  domains: "masks:read",
  log: "log:read",
  held: "log:read",
  insights: "log:read",
  codes: "codes:read",
  account: "account:read",
  notifications: "account:read",
};

/** The number of streams that one API token may have open at a time. */
export const maxStreamsPerToken = 5;
/** The number of streams that all API tokens of a user may have open at a time. */
export const maxStreamsPerUser = 10;

/**
 * Streams changes as they happen, as server-sent events: those of masks, rules and domains, with `log:read` those of the
 * log, held mail and the insights too, with `account:read` those of the account and its notifications, and with `codes:read` the
 * codes that arrive in mail to masks that the token created, with `codes:read:all` to all masks. Each event has an
 * `id`; a request that sends the last one as `Last-Event-ID` gets what has happened since, some of it perhaps again, or
 * `reset` when that is longer ago than an hour. A token may have 5 streams open, and a user 10; the next gets 429.
 */
export const getEvents = endpoint("GET", "/events", {
  authentication: "token",
  tokens: "masks:read",
  answer: StreamedMessage,
  isStream: true,
});
