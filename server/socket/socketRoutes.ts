import type { FastifyInstance, FastifyRequest } from "fastify";
import { interval } from "rxjs";
import type { RawData, WebSocket } from "ws";
import type { Random } from "../../core/ports/random.ts";
import type { Caller } from "../http/caller.ts";
import { perMinute } from "../http/limits.ts";
import { allowed } from "../http/rateLimit.ts";
import { Refusal } from "../http/refusal.ts";
import { isFromElsewhere, type OwnOrigins } from "../http/sameOrigin.ts";
import { invalidSession } from "../identity/authenticate.ts";
import type { Cookies } from "../identity/cookies.ts";
import type { Sessions } from "../identity/sessions.ts";
import type { EventFeed } from "../store/events.ts";
import { newId } from "../store/id.ts";
import { type ConversationParts, makeConversation } from "./conversation.ts";
import { type Spoken, writeMessage } from "./messages.ts";
import { policyViolation, type Seat, type SocketHub, tryAgainLater } from "./socketHub.ts";
import { checkEveryMs, unreadBytes } from "./socketLimits.ts";
import { makeTopics } from "./topics.ts";

export interface SocketRouteParts extends ConversationParts {
  readonly hub: SocketHub;
  readonly feed: Pick<EventFeed, "changes$" | "caughtUp">;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly random: Random;
  readonly origins: OwnOrigins;
}

interface WithToken {
  Querystring: { token?: unknown };
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString("utf8");

/**
 * The socket at /ws (RT1 to RT3). Who opens it is settled before it is open: a page of this origin, the token in the
 * query and the cookie it is bound to. Then the server answers what the page says and tells it what it follows, and
 * closes with 1008 when the session ends.
 */
export const socketRoutes = (parts: SocketRouteParts) => {
  const { hub, feed, sessions, cookies, clock, random, origins } = parts;
  const callers = new WeakMap<FastifyRequest, Caller>();
  const answering = new WeakSet<WebSocket>();

  const identify = async (request: FastifyRequest<WithToken>): Promise<void> => {
    if (isFromElsewhere(request, origins)) throw new Refusal(403, "Sockets are for pages of this site.");
    const { token } = request.query;
    const caller =
      typeof token === "string" ? await sessions.read(token, cookies.session.read(request)) : undefined;
    if (!caller) throw invalidSession();
    callers.set(request, caller);
  };

  const receive = (socket: WebSocket, request: FastifyRequest<WithToken>): void => {
    const caller = callers.get(request);
    if (!caller) {
      socket.terminate();
      return;
    }
    const topics = makeTopics();
    const send = (text: string): void => {
      if (socket.bufferedAmount > unreadBytes) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const say = (message: Spoken, id?: string): void => send(writeMessage(message, clock.now(), id));
    const close = (code: number, reason: string): void => socket.close(code, reason);
    const isSilent = (): boolean => !answering.has(socket);
    answering.add(socket);
    const seat: Seat = { ...caller, topics, send, isSilent, close };
    if (!hub.join(seat)) {
      socket.close(tryAgainLater, "Too many sockets are open");
      return;
    }
    const hear = makeConversation(parts, { caller, topics, say, close });

    socket.on("pong", () => answering.add(socket));
    socket.on("close", () => hub.leave(seat));
    socket.on("message", (data, isBinary) => {
      answering.add(socket);
      hear(isBinary ? "" : textOf(data));
    });
    say({
      type: "connection_established",
      data: { connectionId: newId(random), userId: caller.userId },
    });
    // The session may have ended while the socket was being opened, before anybody could tell it.
    sessions.goesOn(caller.sessionId).then(
      (goesOn) => goesOn || close(policyViolation, "The session has ended"),
      () => close(tryAgainLater, "The server is not ready"),
    );
  };

  return (fastify: FastifyInstance): void => {
    fastify.route<WithToken>({
      method: "GET",
      url: "/ws",
      config: { rateLimit: { max: allowed(perMinute.sockets) } },
      preValidation: identify,
      handler: async () => {
        throw new Refusal(426, "Please open this address as a WebSocket.");
      },
      wsHandler: receive,
    });

    const running = feed.changes$.subscribe(hub.tell);
    running.add(
      interval(checkEveryMs, clock.scheduler).subscribe(() => {
        for (const socket of fastify.websocketServer.clients) {
          if (!answering.delete(socket)) socket.terminate();
          else socket.ping();
        }
      }),
    );
    fastify.addHook("onClose", async () => running.unsubscribe());
  };
};
