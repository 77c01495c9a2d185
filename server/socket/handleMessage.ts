import { notificationHistory } from "../../core/notifications/notification.ts";
import type { AuthContext } from "../http/authContext.ts";
import { invalidSession } from "../http/httpError.ts";
import type { UserNotifications } from "../notifications/userNotifications.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Database } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import type { OutgoingMessage, ReceivedMessage } from "./messages.ts";
import type { SocketHub } from "./socketHub.ts";
import { canSubscribe, isOwnResource, type Topics } from "./topics.ts";

type Message = Extract<ReceivedMessage, { readonly kind: "decoded" }>["message"];
type MessageOf<Type extends Message["type"]> = Extract<Message, { readonly type: Type }>;

export interface MessageHandlerDeps {
  readonly database: Database;
  readonly sessions: Pick<Sessions, "findByToken" | "isActive">;
  readonly notifications: UserNotifications;
  readonly feed: Pick<EventFeed, "catchUp">;
  readonly hub: Pick<SocketHub, "flushed">;
}

/** The user of a socket, its topics, and the functions that answer it. */
export interface MessageContext {
  readonly auth: AuthContext;
  readonly topics: Topics;
  /** Sends a message; `id` is the id of the request that it answers. */
  readonly sendMessage: (message: OutgoingMessage, id?: string) => void;
  /** Sends a last message, if given, and closes the socket with 1008. */
  readonly end: (reason: string, last?: OutgoingMessage) => void;
}

export const errorMessage = (message: string): OutgoingMessage => ({ type: "error", data: { message } });
const clampLimit = (limit: number): number =>
  Math.min(notificationHistory, Math.max(1, Math.floor(limit) || notificationHistory));

/** Creates the function that handles each message of a socket (RT12). */
export const createHandleMessage = (
  { database, sessions, notifications, feed, hub }: MessageHandlerDeps,
  { auth, topics, sendMessage, end }: MessageContext,
): ((message: Message) => Promise<void>) => {
  const { userId } = auth;

  const authenticate = async ({ data, id }: MessageOf<"auth">): Promise<void> => {
    const presented = await sessions.findByToken(data.token);
    if (presented?.sessionId === auth.sessionId)
      return sendMessage({ type: "auth_response", data: { success: true, userId } }, id);
    end("Authentication failed", {
      type: "auth_response",
      data: { success: false, error: invalidSession().message },
    });
  };

  const subscribe = async ({ data, id }: MessageOf<"subscribe">): Promise<void> => {
    if (!(await canSubscribe(database.db, userId, data)))
      sendMessage(errorMessage("There is nothing of yours under this name."), id);
    else if (!topics.add(data))
      sendMessage(errorMessage("One socket cannot follow more topics than this."), id);
  };

  /** Answers only after every change that was committed before the request has been sent. */
  const sync = async ({ data, id }: MessageOf<"sync_request">): Promise<void> => {
    const success = await isOwnResource(database.db, userId, data);
    if (success) await feed.catchUp();
    if (success) await hub.flushed();
    const { resource, requestId } = data;
    sendMessage({ type: "sync_complete", data: { success, resource, requestId } }, id);
  };

  /** Answers `deleted` for a resource that does not exist or belongs to another user. */
  const update = async ({ data, id }: MessageOf<"request_update">): Promise<void> => {
    const action = (await isOwnResource(database.db, userId, data)) ? "updated" : "deleted";
    sendMessage({ type: "data_update", data: { ...data, action } }, id);
  };

  return async (message) => {
    switch (message.type) {
      case "auth":
        return authenticate(message);
      case "heartbeat":
        if (await sessions.isActive(auth.sessionId))
          return sendMessage({ type: "heartbeat_ack" }, message.id);
        return end("The session has ended");
      case "ping":
        return sendMessage({ type: "pong" }, message.id);
      case "heartbeat_ack":
        return;
      case "subscribe":
        return subscribe(message);
      case "unsubscribe":
        return topics.remove(message.data);
      case "get_notifications": {
        const { limit, requestId, after } = message.data;
        const page = await notifications.list(userId, { after, limit: clampLimit(limit) });
        return sendMessage({ type: "notifications", data: { requestId, ...page } }, message.id);
      }
      case "mark_read": {
        const unread = await notifications.markRead(userId, message.data);
        const data = { ...message.data, read: true as const, unread };
        return sendMessage({ type: "read_status_updated", data }, message.id);
      }
      case "delete_notification": {
        const { notificationId: resourceId } = message.data;
        await notifications.remove(userId, resourceId);
        const data = { resource: "notifications", resourceId, action: "deleted" };
        return sendMessage({ type: "data_update", data }, message.id);
      }
      case "sync_request":
        return sync(message);
      case "request_update":
        return update(message);
    }
  };
};
