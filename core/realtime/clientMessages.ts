import * as t from "io-ts";
import { such } from "../contract/text.ts";
import { WhatIsRead } from "../notifications/notificationEndpoints.ts";
import { batchSize } from "./limits.ts";
import { AuthData, Envelope } from "./messages.ts";

// What a client says (RT2, RT12). Pages only use the types: the codecs are for whoever reads the messages.

const Resource = t.intersection([t.type({ resource: t.string }), t.partial({ resourceId: t.string })]);
/** What a page wants to hear of: its notifications, or a resource, or one thing of it. */
export const Topic = t.union([t.type({ channel: t.literal("notifications") }), Resource]);
export type Topic = t.TypeOf<typeof Topic>;

const Ask = t.intersection([Resource, t.type({ requestId: t.string })]);

const said = <Type extends string, Data>(type: Type, data: t.Type<Data, unknown, unknown>) =>
  t.intersection([
    t.type({ type: t.literal(type), data }),
    t.partial({ id: t.string, timestamp: t.number, sessionId: t.string }),
  ]);

const signal = <Type extends string>(type: Type) =>
  t.intersection([
    t.type({ type: t.literal(type) }),
    t.partial({ id: t.string, timestamp: t.number, sessionId: t.string }),
  ]);

const Subscribe = said("subscribe", Topic);
const Unsubscribe = said("unsubscribe", Topic);
/** Answered by read_status_updated on every page of the user. */
const MarkRead = said("mark_read", WhatIsRead);
/** Answered by data_update (notifications, the id, "deleted") on every page of the user. */
const DeleteNotification = said("delete_notification", t.type({ notificationId: t.string }));
/** Answered by `notifications`, as GET /notifications would be. */
const GetNotifications = said(
  "get_notifications",
  t.intersection([t.type({ limit: t.number, requestId: t.string }), t.partial({ after: t.string })]),
);
/** Answered by sync_complete. */
const SyncRequest = said("sync_request", Ask);
/** Answered by data_update with the same requestId. */
const RequestUpdate = said("request_update", Ask);
const Heartbeat = signal("heartbeat");
const HeartbeatAck = signal("heartbeat_ack");
const Ping = signal("ping");

/** Several messages as one, in their order; at most 10 (RT9). Each is an envelope of its own, none a batch or auth. */
const Batch = said(
  "batch",
  t.type({
    messages: such(
      t.array(Envelope),
      (messages) => messages.length <= batchSize,
      `A batch holds at most ${batchSize} messages.`,
    ),
  }),
);

export const ClientMessage = t.union([
  said("auth", AuthData),
  Subscribe,
  Unsubscribe,
  MarkRead,
  DeleteNotification,
  GetNotifications,
  SyncRequest,
  RequestUpdate,
  Heartbeat,
  HeartbeatAck,
  Ping,
  Batch,
]);
export type ClientMessage = t.TypeOf<typeof ClientMessage>;
