import { notificationHistory } from "../../core/notifications/notification.ts";
import type { Caller } from "../http/caller.ts";
import { invalidSession } from "../identity/authenticate.ts";
import type { Sessions } from "../identity/sessions.ts";
import type { UserNotifications } from "../notifications/userNotifications.ts";
import type { Database } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import type { Heard, Spoken } from "./messages.ts";
import type { SocketHub } from "./socketHub.ts";
import { isOwn, mayFollow, type Topics } from "./topics.ts";

type Message = Extract<Heard, { readonly kind: "said" }>["message"];
type Of<Type extends Message["type"]> = Extract<Message, { readonly type: Type }>;

export interface ReactionParts {
  readonly database: Database;
  readonly sessions: Pick<Sessions, "ofToken" | "goesOn">;
  readonly notifications: UserNotifications;
  readonly feed: Pick<EventFeed, "caughtUp">;
  readonly hub: Pick<SocketHub, "told">;
}

/** Whose socket it is, what it follows, and how it is spoken to. */
export interface Talker {
  readonly caller: Caller;
  readonly topics: Topics;
  /** `id` is the one of the message that is answered. */
  readonly say: (message: Spoken, id?: string) => void;
  /** Says a last word, if any, and closes with 1008. */
  readonly end: (reason: string, last?: Spoken) => void;
}

export const error = (message: string): Spoken => ({ type: "error", data: { message } });
const limited = (wanted: number): number =>
  Math.min(notificationHistory, Math.max(1, Math.floor(wanted) || notificationHistory));

/** Makes what is done about each message of a socket (RT12). */
export const makeReaction = (
  { database, sessions, notifications, feed, hub }: ReactionParts,
  { caller, topics, say, end }: Talker,
): ((message: Message) => Promise<void>) => {
  const { userId } = caller;

  const authenticate = async ({ data, id }: Of<"auth">): Promise<void> => {
    const claimed = await sessions.ofToken(data.token);
    if (claimed?.sessionId === caller.sessionId)
      return say({ type: "auth_response", data: { success: true, userId } }, id);
    end("Authentication failed", {
      type: "auth_response",
      data: { success: false, error: invalidSession().message },
    });
  };

  const subscribe = async ({ data, id }: Of<"subscribe">): Promise<void> => {
    if (!(await mayFollow(database.db, userId, data)))
      say(error("There is nothing of yours under this name."), id);
    else if (!topics.add(data)) say(error("One socket cannot follow more topics than this."), id);
  };

  /** Everything that was committed before the request has been told before its answer. */
  const sync = async ({ data, id }: Of<"sync_request">): Promise<void> => {
    const success = await isOwn(database.db, userId, data);
    if (success) await feed.caughtUp();
    if (success) await hub.told();
    const { resource, requestId } = data;
    say({ type: "sync_complete", data: { success, resource, requestId } }, id);
  };

  /** To what is not there, or is somebody else's, the answer is that it has been deleted. */
  const update = async ({ data, id }: Of<"request_update">): Promise<void> => {
    const action = (await isOwn(database.db, userId, data)) ? "updated" : "deleted";
    say({ type: "data_update", data: { ...data, action } }, id);
  };

  return async (message) => {
    switch (message.type) {
      case "auth":
        return authenticate(message);
      case "heartbeat":
        if (await sessions.goesOn(caller.sessionId)) return say({ type: "heartbeat_ack" }, message.id);
        return end("The session has ended");
      case "ping":
        return say({ type: "pong" }, message.id);
      case "heartbeat_ack":
        return;
      case "subscribe":
        return subscribe(message);
      case "unsubscribe":
        return topics.remove(message.data);
      case "get_notifications": {
        const { limit, requestId, after } = message.data;
        const page = await notifications.list(userId, { after, limit: limited(limit) });
        return say({ type: "notifications", data: { requestId, ...page } }, message.id);
      }
      case "mark_read": {
        const unread = await notifications.markRead(userId, message.data);
        const data = { ...message.data, read: true as const, unread };
        return say({ type: "read_status_updated", data }, message.id);
      }
      case "delete_notification": {
        const { notificationId: resourceId } = message.data;
        await notifications.remove(userId, resourceId);
        const data = { resource: "notifications", resourceId, action: "deleted" };
        return say({ type: "data_update", data }, message.id);
      }
      case "sync_request":
        return sync(message);
      case "request_update":
        return update(message);
    }
  };
};
