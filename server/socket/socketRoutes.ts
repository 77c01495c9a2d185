import type { FastifyInstance, FastifyRequest } from "fastify";
import { interval } from "rxjs";
import type { RawData, WebSocket } from "ws";
import type { Random } from "../../core/ports/random.ts";
import type { AuthContext } from "../http/authContext.ts";
import { type AllowedOrigins, isCrossOrigin } from "../http/crossOrigin.ts";
import { HttpError, invalidSession } from "../http/httpError.ts";
import { perMinute, rateLimitFor } from "../http/limits.ts";
import type { Cookies } from "../session/cookies.ts";
import type { Sessions } from "../session/sessions.ts";
import type { EventFeed } from "../store/events.ts";
import { newId } from "../store/id.ts";
import { createMessageReceiver, type MessageReceiverDeps } from "./messageReceiver.ts";
import { encodeMessage, maxUnsentBytes, type OutgoingMessage, pingIntervalMs } from "./messages.ts";
import { policyViolation, type SocketClient, type SocketHub, tryAgainLater } from "./socketHub.ts";
import { createTopics } from "./topics.ts";

export interface SocketRouteDeps extends MessageReceiverDeps {
  readonly hub: SocketHub;
  readonly feed: Pick<EventFeed, "changes$" | "catchUp">;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly random: Random;
  readonly origins: AllowedOrigins;
}

interface WithToken {
  Querystring: { token?: unknown };
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString("utf8");

/**
 * Registers the WebSocket at /ws (RT1 to RT3). The origin, the token in the query, and its cookie are checked
 * before the socket opens. The server then answers its messages, sends changes of its topics, and closes it
 * with 1008 when the session ends.
 */
export const socketRoutes = (deps: SocketRouteDeps) => {
  const { hub, feed, sessions, cookies, clock, random, origins } = deps;
  const authContexts = new WeakMap<FastifyRequest, AuthContext>();
  const responsive = new WeakSet<WebSocket>();

  const authenticate = async (request: FastifyRequest<WithToken>): Promise<void> => {
    if (isCrossOrigin(request, origins)) throw new HttpError(403, "Sockets are for pages of this site.");
    const { token } = request.query;
    const auth =
      typeof token === "string"
        ? await sessions.authenticate(token, cookies.session.read(request))
        : undefined;
    if (!auth) throw invalidSession();
    authContexts.set(request, auth);
  };

  const openSocket = (socket: WebSocket, request: FastifyRequest<WithToken>): void => {
    const auth = authContexts.get(request);
    if (!auth) {
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
    const client: SocketClient = { ...auth, topics, sendText, isSilent, close };
    if (!hub.join(client)) {
      socket.close(tryAgainLater, "Too many sockets are open");
      return;
    }
    const receiveText = createMessageReceiver(deps, { auth, topics, sendMessage, close });

    socket.on("pong", () => responsive.add(socket));
    socket.on("close", () => hub.leave(client));
    socket.on("message", (data, isBinary) => {
      responsive.add(socket);
      receiveText(isBinary ? "" : textOf(data));
    });
    sendMessage({
      type: "connection_established",
      data: { connectionId: newId(random), userId: auth.userId },
    });
    // The session may have ended while the socket was opening.
    sessions.isActive(auth.sessionId).then(
      (isActive) => isActive || close(policyViolation, "The session has ended"),
      () => close(tryAgainLater, "The server is not ready"),
    );
  };

  return (fastify: FastifyInstance): void => {
    fastify.route<WithToken>({
      method: "GET",
      url: "/ws",
      config: { rateLimit: { max: rateLimitFor(perMinute.sockets) } },
      preValidation: authenticate,
      handler: async () => {
        throw new HttpError(426, "Please open this address as a WebSocket.");
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
