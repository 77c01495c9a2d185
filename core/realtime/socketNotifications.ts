import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { mergeMap, type Observable } from "rxjs";
import { deferTask } from "../kernel/task.ts";
import { notificationHistory } from "../notifications/notification.ts";
import type { NotificationEvent, NotificationGateway } from "../notifications/notificationGateway.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { ReadStatus, ServerMessage } from "./messages.ts";
import type { SocketClient } from "./socketClient.ts";

type Message<Type extends ServerMessage["type"]> = Extract<ServerMessage, { readonly type: Type }>;

/** Creates the notification gateway over the socket (RT12). Requests fail immediately while not connected. */
export const createSocketNotifications = (
  client: Pick<SocketClient, "request">,
  random: Random,
): NotificationGateway => ({
  list: (after) =>
    deferTask(() => {
      const requestId = randomHex(random, 8);
      const data = { limit: notificationHistory, requestId, ...(after === undefined ? {} : { after }) };
      const isAnswer = (message: ServerMessage): message is Message<"notifications"> =>
        message.type === "notifications" && message.data.requestId === requestId;
      return pipe(
        client.request({ type: "get_notifications", data }, isAnswer),
        TE.map((answer) => answer.data),
      );
    }),
  markRead: (target) => {
    const isRequested = ({ all, notificationId }: ReadStatus): boolean =>
      "all" in target ? all === true : notificationId === target.notificationId;
    const isAnswer = (message: ServerMessage): message is Message<"read_status_updated"> =>
      message.type === "read_status_updated" && isRequested(message.data);
    return pipe(
      client.request({ type: "mark_read", data: target }, isAnswer),
      TE.map(() => undefined),
    );
  },
  remove: (notificationId) => {
    const isAnswer = (message: ServerMessage): message is Message<"data_update"> =>
      message.type === "data_update" &&
      isAboutNotifications(message.data.resource) &&
      message.data.resourceId === notificationId;
    return pipe(
      client.request({ type: "delete_notification", data: { notificationId } }, isAnswer),
      TE.map(() => undefined),
    );
  },
});

const isAboutNotifications = (resource: string): boolean =>
  resource === "notifications" || resource === "notification";

const toReadEvents = ({ notificationId, all, unread }: ReadStatus): readonly NotificationEvent[] => {
  if (all) return [{ kind: "read", target: { all }, unread }];
  return notificationId === undefined
    ? [{ kind: "changed" }]
    : [{ kind: "read", target: { notificationId }, unread }];
};

const toNotificationEvents = (message: ServerMessage): readonly NotificationEvent[] => {
  switch (message.type) {
    case "notification":
      return [{ kind: "arrived", notification: message.data, source: "socket" }];
    case "read_status_updated":
      return toReadEvents(message.data);
    case "data_update": {
      const { resource, action, resourceId: id } = message.data;
      if (!isAboutNotifications(resource)) return [];
      return [action === "deleted" && id !== undefined ? { kind: "removed", id } : { kind: "changed", id }];
    }
    default:
      return [];
  }
};

/** Maps messages of the server to notification events (RT3); other messages emit nothing. */
export const notificationEvents = (messages$: Observable<ServerMessage>): Observable<NotificationEvent> =>
  messages$.pipe(mergeMap(toNotificationEvents));
