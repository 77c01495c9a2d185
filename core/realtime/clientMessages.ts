import * as t from "io-ts";
import { refined } from "../api/textCodecs.ts";
import { ReadTarget } from "../notifications/notificationEndpoints.ts";
import { AuthData, batchSize, Envelope } from "./messages.ts";

// Messages from the client (RT2, RT12). The page uses the types only; the server decodes with the codecs.

const Resource = t.intersection([t.type({ resource: t.string }), t.partial({ resourceId: t.string })]);
/** The subject of a page's subscription: its notifications, all things of a resource, or one thing of it. */
export const Topic = t.union([t.type({ channel: t.literal("notifications") }), Resource]);
export type Topic = t.TypeOf<typeof Topic>;

/** The topics that a feature follows while a screen shows it, besides those of all screens. */
export interface FollowsTopics {
  readonly topics: readonly Topic[];
}

const ResourceRequest = t.intersection([Resource, t.type({ requestId: t.string })]);

const dataMessage = <Type extends string, Data>(type: Type, data: t.Type<Data, unknown, unknown>) =>
  t.intersection([
    t.type({ type: t.literal(type), data }),
    t.partial({ id: t.string, timestamp: t.number, sessionId: t.string }),
  ]);

const signal = <Type extends string>(type: Type) =>
  t.intersection([
    t.type({ type: t.literal(type) }),
    t.partial({ id: t.string, timestamp: t.number, sessionId: t.string }),
  ]);

const Subscribe = dataMessage("subscribe", Topic);
const Unsubscribe = dataMessage("unsubscribe", Topic);
/** The server answers with read_status_updated on every page of the user. */
const MarkRead = dataMessage("mark_read", ReadTarget);
/** The server answers with data_update (notifications, the id, "deleted") on every page of the user. */
const DeleteNotification = dataMessage("delete_notification", t.type({ notificationId: t.string }));
/** The server answers with `notifications`, which has the content of GET /notifications. */
const GetNotifications = dataMessage(
  "get_notifications",
  t.intersection([t.type({ limit: t.number, requestId: t.string }), t.partial({ after: t.string })]),
);
/** The server answers with sync_complete. */
const SyncRequest = dataMessage("sync_request", ResourceRequest);
/** The server answers with data_update, which repeats the requestId. */
const RequestUpdate = dataMessage("request_update", ResourceRequest);
const Heartbeat = signal("heartbeat");
const HeartbeatAck = signal("heartbeat_ack");
const Ping = signal("ping");

/** Up to 10 messages in one, in their order (RT9). None of them is a batch or auth message. */
const Batch = dataMessage(
  "batch",
  t.type({
    messages: refined(
      t.array(Envelope),
      (messages) => messages.length <= batchSize,
      `A batch holds at most ${batchSize} messages.`,
    ),
  }),
);

export const ClientMessage = t.union([
  dataMessage("auth", AuthData),
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
