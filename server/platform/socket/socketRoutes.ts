import type { FastifyInstance, FastifyRequest } from "fastify";
import { interval } from "rxjs";
import type { RawData, WebSocket } from "ws";
import type { Random } from "../../../core/ports/random.ts";
import { invalidSession } from "../errors/useCaseError.ts";
import { parseClientId } from "../http/authenticate.ts";
import { type AllowedOrigins, isCrossOrigin } from "../http/crossOrigin.ts";
import { HttpError } from "../http/httpError.ts";
import { perMinute } from "../http/httpLimits.ts";
import type { EventFeed } from "../store/eventFeed.ts";
import { newId } from "../store/id.ts";
import type { SocketUser } from "./handleMessage.ts";
import { createMessageReceiver, type MessageReceiverDeps } from "./messageReceiver.ts";
import { policyViolation, type SocketClient, type SocketHub, tryAgainLater } from "./socketHub.ts";
import { encodeMessage, maxUnsentBytes, type OutgoingMessage, pingIntervalMs } from "./socketMessages.ts";
import { createTopics } from "./topics.ts";

export interface SocketRouteDeps extends MessageReceiverDeps {
  readonly hub: SocketHub;
  readonly feed: Pick<EventFeed, "changes$" | "catchUp" | "follow">;
  /** Reads the session cookie that belongs to the token. */
  readonly readSessionCookie: (request: FastifyRequest) => string | undefined;
  readonly random: Random;
  readonly origins: AllowedOrigins;
}

interface WithToken {
  Querystring: { token?: unknown; sessionId?: unknown };
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString("utf8");

/**
 * Registers the WebSocket at /ws (RT1 to RT3). Origin, token and cookie are checked before it opens. The server
 * answers its messages, sends changes of its topics, and closes it with 1008 when the session ends.
 */
export const socketRoutes = (deps: SocketRouteDeps) => {
  const { hub, feed, sessions, readSessionCookie, clock, random, origins } = deps;
  const users = new WeakMap<FastifyRequest, SocketUser>();
  const responsive = new WeakSet<WebSocket>();

  const authenticate = async (request: FastifyRequest<WithToken>): Promise<void> => {
    if (isCrossOrigin(request, origins)) throw new HttpError(403, "Sockets are for pages of this site.");
    const { token } = request.query;
    const user =
      typeof token === "string" ? await sessions.authenticate(token, readSessionCookie(request)) : undefined;
    if (!user) throw invalidSession();
    users.set(request, user);
  };

  const openSocket = (socket: WebSocket, request: FastifyRequest<WithToken>): void => {
    const user = users.get(request);
    if (!user) {
      socket.terminate();
      return;
    }
    const topics = createTopics();
    const sendText = (text: string): void => {
      if (socket.bufferedAmount > maxUnsentBytes) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const sendMessage = (message: OutgoingMessage, id?: string): void =>
      sendText(encodeMessage(message, clock.now(), id));
    const close = (code: number, reason: string): void => socket.close(code, reason);
    const isSilent = (): boolean => !responsive.has(socket);
    responsive.add(socket);
    const clientId = parseClientId(request.query.sessionId);
    const client: SocketClient = { ...user, clientId, topics, sendText, isSilent, close };
    if (!hub.join(client)) {
      socket.close(tryAgainLater, "Too many sockets are open");
      return;
    }
    const unfollow = feed.follow(user.userId);
    const receiveText = createMessageReceiver(deps, { user, topics, sendMessage, close });

    socket.on("pong", () => responsive.add(socket));
    socket.on("close", () => {
      hub.leave(client);
      unfollow();
    });
    socket.on("message", (data, isBinary) => {
      responsive.add(socket);
      receiveText(isBinary ? "" : textOf(data));
    });
    sendMessage({
      type: "connection_established",
      data: { connectionId: newId(random), userId: user.userId },
    });
    // The session may have ended while the socket was opening.
    sessions.isActive(user.sessionId).then(
      (isActive) => isActive || close(policyViolation, "The session has ended"),
      () => close(tryAgainLater, "The server is not ready"),
    );
  };

  return (fastify: FastifyInstance): void => {
    fastify.route<WithToken>({
      method: "GET",
      url: "/ws",
      config: { perMinute: perMinute.sockets },
      preValidation: authenticate,
      handler: async () => {
        throw new HttpError(426, "Open this address as a WebSocket.");
      },
      wsHandler: openSocket,
    });

    const subscription = feed.changes$.subscribe(hub.publish);
    subscription.add(
      interval(pingIntervalMs, clock.scheduler).subscribe(() => {
        for (const socket of fastify.websocketServer.clients) {
          if (!responsive.delete(socket)) socket.terminate();
          else socket.ping();
        }
      }),
    );
    fastify.addHook("onClose", async () => subscription.unsubscribe());
  };
};
