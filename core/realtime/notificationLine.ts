import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { mergeMap, type Observable } from "rxjs";
import { notificationHistory } from "../notifications/notification.ts";
import type { NotificationGateway } from "../notifications/notificationGateway.ts";
import type { NotificationNews } from "../notifications/notificationNews.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { Link } from "./link.ts";
import type { ReadStatus, ServerMessage } from "./messages.ts";

type Message<Type extends ServerMessage["type"]> = Extract<ServerMessage, { readonly type: Type }>;

/** Notifications over the connection (RT12): each request has its answer, and fails at once while there is none. */
export const makeNotificationLine = (link: Pick<Link, "request">, random: Random): NotificationGateway => ({
  list: (after) => () => {
    const requestId = randomHex(random, 8);
    const data = { limit: notificationHistory, requestId, ...(after === undefined ? {} : { after }) };
    const isAnswer = (message: ServerMessage): message is Message<"notifications"> =>
      message.type === "notifications" && message.data.requestId === requestId;
    return pipe(
      link.request({ type: "get_notifications", data }, isAnswer),
      TE.map((answer) => answer.data),
    )();
  },
  markRead: (what) => {
    const isMeant = ({ all, notificationId }: ReadStatus): boolean =>
      "all" in what ? all === true : notificationId === what.notificationId;
    const isAnswer = (message: ServerMessage): message is Message<"read_status_updated"> =>
      message.type === "read_status_updated" && isMeant(message.data);
    return pipe(
      link.request({ type: "mark_read", data: what }, isAnswer),
      TE.map(() => undefined),
    );
  },
  remove: (notificationId) => {
    const isAnswer = (message: ServerMessage): message is Message<"data_update"> =>
      message.type === "data_update" &&
      isAboutNotifications(message.data.resource) &&
      message.data.resourceId === notificationId;
    return pipe(
      link.request({ type: "delete_notification", data: { notificationId } }, isAnswer),
      TE.map(() => undefined),
    );
  },
});

const isAboutNotifications = (resource: string): boolean =>
  resource === "notifications" || resource === "notification";

const readNews = ({ notificationId, all, unread }: ReadStatus): readonly NotificationNews[] => {
  if (all) return [{ kind: "read", what: { all }, unread }];
  return notificationId === undefined ? [] : [{ kind: "read", what: { notificationId }, unread }];
};

const newsIn = (message: ServerMessage): readonly NotificationNews[] => {
  switch (message.type) {
    case "notification":
      return [{ kind: "arrived", notification: message.data }];
    case "read_status_updated":
      return readNews(message.data);
    case "data_update": {
      const { resource, action, resourceId: id } = message.data;
      if (!isAboutNotifications(resource)) return [];
      return [action === "deleted" && id !== undefined ? { kind: "removed", id } : { kind: "changed", id }];
    }
    default:
      return [];
  }
};

/** What the messages of the server mean for the notifications (RT3). */
export const notificationNews = (messages$: Observable<ServerMessage>): Observable<NotificationNews> =>
  messages$.pipe(mergeMap(newsIn));
