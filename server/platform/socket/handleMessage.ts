import { invalidSession } from "../errors/useCaseError.ts";
import type { SessionContext } from "../store/authContext.ts";
import type { EventFeed } from "../store/eventFeed.ts";
import { createOwnershipCheck, type ResourceName, type SocketFeature } from "./socketFeature.ts";
import type { SocketHub } from "./socketHub.ts";
import type { OutgoingMessage, ReceivedMessage } from "./socketMessages.ts";
import type { Topics } from "./topics.ts";

type Message = Extract<ReceivedMessage, { readonly kind: "decoded" }>["message"];
type MessageOf<Type extends Message["type"]> = Extract<Message, { readonly type: Type }>;

type ProtocolType =
  | "auth"
  | "heartbeat"
  | "heartbeat_ack"
  | "ping"
  | "subscribe"
  | "unsubscribe"
  | "sync_request"
  | "request_update";

/** A message that a feature handles. */
export type FeatureMessage = Exclude<Message, { readonly type: ProtocolType }>;

/** Handles a message of a feature and resolves to its answer. */
export type HandleFeatureMessage = (userId: string, message: FeatureMessage) => Promise<OutgoingMessage>;

/** The checks of sessions that a socket needs. */
export interface SocketSessions {
  readonly authenticate: (token: string, cookie: string | undefined) => Promise<SocketUser | undefined>;
  /** Returns the user and session of a token while the session is active. */
  readonly findByToken: (token: string) => Promise<SocketUser | undefined>;
  readonly isActive: (sessionId: string) => Promise<boolean>;
}

/** The user and the session of a socket. */
export type SocketUser = SessionContext;

export interface MessageHandlerDeps {
  readonly sessions: SocketSessions;
  readonly features: readonly SocketFeature[];
  readonly handleFeatureMessage: HandleFeatureMessage;
  readonly feed: Pick<EventFeed, "catchUp">;
  readonly hub: Pick<SocketHub, "flushed">;
}

/** The user of a socket, its topics, and the functions that answer it. */
export interface MessageContext {
  readonly user: SocketUser;
  readonly topics: Topics;
  /** Sends a message; `id` is the id of the answered request. */
  readonly sendMessage: (message: OutgoingMessage, id?: string) => void;
  /** Sends a last message, if given, and closes the socket with 1008. */
  readonly end: (reason: string, last?: OutgoingMessage) => void;
}

export const errorMessage = (message: string): OutgoingMessage => ({ type: "error", data: { message } });

/** Returns what has a name now, as its changes are announced; undefined when nothing has. */
const readEntity = async (
  features: readonly Pick<SocketFeature, "resources" | "announce">[],
  userId: string,
  { resource, resourceId }: ResourceName,
): Promise<unknown> => {
  const [name = resource] = features.find(({ resources }) => resources.includes(resource))?.resources ?? [];
  const event = {
    userId,
    resource: name,
    resourceId: resourceId ?? null,
    action: "updated",
    clientId: null,
  };
  const announced = await features
    .map(({ announce }) => announce(event))
    .find((announcement) => announcement?.resources.includes(name))
    ?.build();
  return announced?.type === "data_update" ? announced.data.entity : undefined;
};

/** Creates the function that handles each message of a socket (RT12). */
export const createHandleMessage = (
  { sessions, features, handleFeatureMessage, feed, hub }: MessageHandlerDeps,
  { user, topics, sendMessage, end }: MessageContext,
): ((message: Message) => Promise<void>) => {
  const { userId, sessionId } = user;
  const isOwn = createOwnershipCheck(features);

  const authenticate = async ({ data, id }: MessageOf<"auth">): Promise<void> => {
    const presented = await sessions.findByToken(data.token);
    if (presented?.sessionId === sessionId)
      return sendMessage({ type: "auth_response", data: { success: true, userId } }, id);
    end("Authentication failed", {
      type: "auth_response",
      data: { success: false, error: invalidSession().message },
    });
  };

  const subscribe = async ({ data, id }: MessageOf<"subscribe">): Promise<void> => {
    if (!("channel" in data) && !(await isOwn(userId, data)))
      sendMessage(errorMessage("There is nothing of yours under this name."), id);
    else if (!topics.add(data))
      sendMessage(errorMessage("One socket cannot follow more topics than this."), id);
    else if ("resource" in data && data.resourceId === undefined) await sendVersion(data.resource, id);
  };

  /** Sends the version of a resource; changes after it was read are announced. */
  const sendVersion = async (resource: string, id?: string): Promise<void> => {
    const feature = features.find(({ resources }) => resources[0] === resource);
    const version = await feature?.version?.(userId);
    if (version !== undefined) sendMessage({ type: "resource_version", data: { resource, version } }, id);
  };

  /** The answer follows every change that was committed before the request. */
  const sync = async ({ data, id }: MessageOf<"sync_request">): Promise<void> => {
    const success = await isOwn(userId, data);
    if (success) await feed.catchUp();
    if (success) await hub.flushed(userId);
    const { resource, requestId } = data;
    sendMessage({ type: "sync_complete", data: { success, resource, requestId } }, id);
  };

  /** Answers with what has the name now, as its changes are announced; `deleted` also stands for another user's resource. */
  const update = async ({ data, id }: MessageOf<"request_update">): Promise<void> => {
    const action = (await isOwn(userId, data)) ? "updated" : "deleted";
    const entity = action === "updated" ? await readEntity(features, userId, data) : undefined;
    sendMessage(
      { type: "data_update", data: { ...data, action, ...(entity === undefined ? {} : { entity }) } },
      id,
    );
  };

  return async (message) => {
    switch (message.type) {
      case "auth":
        return authenticate(message);
      case "heartbeat":
        if (await sessions.isActive(sessionId)) return sendMessage({ type: "heartbeat_ack" }, message.id);
        return end("The session has ended");
      case "ping":
        return sendMessage({ type: "pong" }, message.id);
      case "heartbeat_ack":
        return;
      case "subscribe":
        return subscribe(message);
      case "unsubscribe":
        return topics.remove(message.data);
      case "sync_request":
        return sync(message);
      case "request_update":
        return update(message);
      default:
        return sendMessage(await handleFeatureMessage(userId, message), message.id);
    }
  };
};
