import * as t from "io-ts";
import { completed, idText, openAnswer } from "../api/wireCodecs.ts";
import { MailCode } from "../mail/mailCode.ts";
import { Notification, NotificationPage } from "../notifications/notification.ts";

/** The maximum number of messages that a client sends in a minute (RT9, D19). */
export const messagesPerMinute = 100;
/** The maximum number of messages in a batch (RT9). */
export const batchSize = 10;
/** The maximum size of a message, in bytes of UTF-8 (RT9). */
export const messageBytes = 16_384;

// Messages from the server. Messages from the client are in clientMessages.ts and use the same envelope.

/** The envelope of every message (RT2). `timestamp` is in milliseconds; an answer repeats the `id` it answers. */
export const Envelope = t.intersection([
  t.type({ type: t.string }),
  t.partial({ data: t.unknown, id: t.string, timestamp: t.number, sessionId: t.string }),
]);
export type Envelope = t.TypeOf<typeof Envelope>;

export const AuthData = t.intersection([
  t.type({ token: t.string }),
  t.partial({
    sessionId: t.string,
    capabilities: t.partial({ binary: t.boolean, compression: t.boolean, encryption: t.boolean }),
  }),
]);

/**
 * A resource of the user has changed; `resourceId` is absent when several items changed (RT13). `entity` extends the
 * contract: the changed thing as the API answers it, or null when it was deleted. Without it the client fetches it.
 */
export const DataUpdate = completed(
  t.intersection([
    t.type({ resource: t.string, action: t.string }),
    t.partial({ resourceId: t.string, requestId: t.string, entity: t.unknown }),
  ]),
  ({ resourceId, ...given }) => ({
    action: "updated",
    ...given,
    resourceId: idText(resourceId),
  }),
);
export type DataUpdate = t.TypeOf<typeof DataUpdate>;

/** The state of a resource of the user, as the API names it in its answers (extends the contract). */
export const ResourceVersion = t.type({ resource: t.string, version: t.string });
export type ResourceVersion = t.TypeOf<typeof ResourceVersion>;

/** One notification or all of them are read, on this page or another; `unread` counts the remaining ones. */
export const ReadStatus = completed(
  t.intersection([
    t.type({ read: t.literal(true) }),
    t.partial({ notificationId: t.string, all: t.literal(true), unread: t.number }),
  ]),
  ({ notificationId, all, ...given }) => ({
    ...given,
    read: true,
    all: all || undefined,
    notificationId: idText(notificationId),
  }),
);
export type ReadStatus = t.TypeOf<typeof ReadStatus>;

/** A message from the server. Messages of unknown types do not decode and are ignored (RT3). */
export const ServerMessage = t.union([
  t.type({
    type: t.literal("connection_established"),
    data: openAnswer(t.partial({ connectionId: t.string, userId: t.string })),
  }),
  t.type({
    type: t.literal("auth_response"),
    data: completed(
      t.intersection([t.type({ success: t.boolean }), t.partial({ error: t.string, userId: t.string })]),
      ({ userId, ...given }) => ({ ...given, userId: idText(userId) }),
    ),
  }),
  /** The connection has a problem; `reconnect` requests a new one after `reconnectDelay` ms. */
  t.type({
    type: t.literal("connection_error"),
    data: openAnswer(t.partial({ error: t.string, reconnect: t.boolean, reconnectDelay: t.number })),
  }),
  t.type({ type: t.literal("notification"), data: Notification }),
  /** The answer to get_notifications. */
  t.type({
    type: t.literal("notifications"),
    data: t.intersection([t.type({ requestId: t.string }), NotificationPage]),
  }),
  t.type({ type: t.literal("read_status_updated"), data: ReadStatus }),
  t.type({ type: t.literal("data_update"), data: DataUpdate }),
  /** A code has arrived in mail (extends the contract). */
  t.type({ type: t.literal("code"), data: MailCode }),
  /** The answer to subscribe, for resources that have a version. */
  t.type({ type: t.literal("resource_version"), data: ResourceVersion }),
  /** The answer to sync_request. */
  t.type({
    type: t.literal("sync_complete"),
    data: t.intersection([
      t.type({ success: t.boolean, resource: t.string }),
      t.partial({ requestId: t.string }),
    ]),
  }),
  /** The server checks whether the client is alive; the client answers with heartbeat_ack. */
  t.type({ type: t.literal("heartbeat") }),
  t.type({ type: t.literal("heartbeat_ack") }),
  t.type({ type: t.literal("pong") }),
]);
export type ServerMessage = t.TypeOf<typeof ServerMessage>;
