import type { Clock } from "../../core/ports/clock.ts";
import type { ServerMessage } from "../../core/realtime/messages.ts";
import type { AuthContext } from "../http/authContext.ts";
import { findNewestNotifications, findNotification } from "../notifications/notificationQueries.ts";
import { toNotification } from "../notifications/userNotifications.ts";
import { sessionEnded } from "../session/sessions.ts";
import type { Database } from "../store/database.ts";
import type { ChangeEvent } from "../store/events.ts";
import { encodeMessage, maxSocketsPerUser } from "./messages.ts";
import type { Topics } from "./topics.ts";

/** Returns the message that tells a user's pages about a change; undefined when there is nothing to send. */
type BuildMessage = (event: ChangeEvent) => Promise<ServerMessage | undefined>;

const dataUpdate = ({ resource, resourceId, action }: ChangeEvent): ServerMessage => ({
  type: "data_update",
  data: { resource, action, ...(resourceId === null ? {} : { resourceId }) },
});

/**
 * Creates the function that builds the message for a change: a new notification with its content, a read
 * notification with the number of unread ones, and `data_update` for any other change (RT13). It reads only
 * data of the owner of the change.
 */
export const createBuildMessage =
  ({ db }: Database): BuildMessage =>
  async (event) => {
    const { userId, resource, resourceId, action } = event;
    if (resource !== "notifications") return dataUpdate(event);
    if (action === "created") {
      const row = await findNotification(db, userId, Number(resourceId));
      return row && { type: "notification", data: toNotification(row) };
    }
    if (action !== "read") return dataUpdate(event);
    const { unread } = await findNewestNotifications(db, userId, { after: 0, limit: 1 });
    const target = resourceId === null ? { all: true as const } : { notificationId: resourceId };
    return { type: "read_status_updated", data: { ...target, read: true, unread } };
  };

/** Close code 1008 (policy violation), for a session that is missing or has ended (RFC 6455, 7.4.1). */
export const policyViolation = 1008;
/** Close code 1013 (try again later), for a user with too many open sockets. */
export const tryAgainLater = 1013;

/** One open socket with its user and session. */
export interface SocketClient extends AuthContext {
  readonly topics: Topics;
  readonly sendText: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** Returns whether the socket has not answered the last ping. */
  readonly isSilent: () => boolean;
}

/** The open sockets of this process by user. */
export interface SocketHub {
  /**
   * Adds a socket. Returns false when the user has too many; a socket that does not answer is closed and
   * replaced.
   */
  readonly join: (client: SocketClient) => boolean;
  readonly leave: (client: SocketClient) => void;
  /** Sends a change to the sockets of its user; the end of a session closes its sockets. */
  readonly publish: (event: ChangeEvent) => void;
  /** Resolves when all earlier changes have been sent. */
  readonly flushed: () => Promise<void>;
}

export const createSocketHub = (
  buildMessage: BuildMessage,
  clock: Pick<Clock, "now">,
  maxSockets = maxSocketsPerUser,
): SocketHub => {
  const clients = new Map<string, Set<SocketClient>>();
  let publishing: Promise<void> = Promise.resolve();

  const leave = (client: SocketClient): void => {
    const userClients = clients.get(client.userId);
    userClients?.delete(client);
    if (userClients?.size === 0) clients.delete(client.userId);
  };
  const clientsOf = (userId: string): readonly SocketClient[] => [...(clients.get(userId) ?? [])];

  const closeSession = ({ userId, resourceId }: ChangeEvent): void => {
    for (const client of clientsOf(userId))
      if (resourceId === client.sessionId) client.close(policyViolation, "The session has ended");
  };
  const sendChange = async (event: ChangeEvent): Promise<void> => {
    const message = await buildMessage(event);
    if (!message) return;
    const text = encodeMessage(message, clock.now());
    for (const client of clientsOf(event.userId))
      if (client.topics.has(event.resource, event.resourceId)) client.sendText(text);
  };

  return {
    join: (client) => {
      const silentClient =
        clientsOf(client.userId).length >= maxSockets &&
        clientsOf(client.userId).find((other) => other.isSilent());
      if (silentClient) {
        leave(silentClient);
        silentClient.close(tryAgainLater, "Another socket has taken its place");
      }
      const userClients = clients.get(client.userId) ?? new Set();
      if (userClients.size >= maxSockets) return false;
      clients.set(client.userId, userClients.add(client));
      return true;
    },
    leave,
    publish: (event) => {
      if (event.resource === sessionEnded.resource) closeSession(event);
      // Changes are sent one after the other, in the order of their commits.
      else if (clients.has(event.userId))
        publishing = publishing.then(() => sendChange(event)).catch(() => {});
    },
    flushed: () => publishing,
  };
};
