import * as t from "io-ts";
import { Notification, NotificationPage } from "../notifications/notification.ts";

// What the server says. What a client says stands in clientMessages.ts, with the same envelope around it.

/** What every message is wrapped in (RT2). `timestamp` in milliseconds; an answer repeats the `id` it answers. */
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

/** Something of the user's has changed; `resourceId` is absent when more than one thing did (RT13). */
export const DataUpdate = t.intersection([
  t.type({ resource: t.string, action: t.string }),
  t.partial({ resourceId: t.string, requestId: t.string }),
]);
export type DataUpdate = t.TypeOf<typeof DataUpdate>;

/** One notification, or all of them, have been read here or on another page; `unread` are left. */
export const ReadStatus = t.intersection([
  t.type({ read: t.literal(true) }),
  t.partial({ notificationId: t.string, all: t.literal(true), unread: t.number }),
]);
export type ReadStatus = t.TypeOf<typeof ReadStatus>;

/** A message from the server, decoded as far as its type is known to us; others are ignored (RT3). */
export const ServerMessage = t.union([
  t.type({
    type: t.literal("connection_established"),
    data: t.partial({ connectionId: t.string, userId: t.string }),
  }),
  t.type({
    type: t.literal("auth_response"),
    data: t.intersection([t.type({ success: t.boolean }), t.partial({ error: t.string, userId: t.string })]),
  }),
  /** Something is wrong with the connection; with `reconnect` another one is wanted, in `reconnectDelay` ms. */
  t.type({
    type: t.literal("connection_error"),
    data: t.partial({ error: t.string, reconnect: t.boolean, reconnectDelay: t.number }),
  }),
  t.type({ type: t.literal("notification"), data: Notification }),
  /** Answers get_notifications. */
  t.type({
    type: t.literal("notifications"),
    data: t.intersection([t.type({ requestId: t.string }), NotificationPage]),
  }),
  t.type({ type: t.literal("read_status_updated"), data: ReadStatus }),
  t.type({ type: t.literal("data_update"), data: DataUpdate }),
  /** Answers sync_request. */
  t.type({
    type: t.literal("sync_complete"),
    data: t.intersection([
      t.type({ success: t.boolean, resource: t.string }),
      t.partial({ requestId: t.string }),
    ]),
  }),
  /** The server wants to know whether somebody is there; a heartbeat_ack says so. */
  t.type({ type: t.literal("heartbeat") }),
  t.type({ type: t.literal("heartbeat_ack") }),
  t.type({ type: t.literal("pong") }),
]);
export type ServerMessage = t.TypeOf<typeof ServerMessage>;
