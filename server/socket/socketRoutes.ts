import type { FastifyInstance, FastifyRequest } from "fastify";
import { interval } from "rxjs";
import type { RawData, WebSocket } from "ws";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Caller } from "../http/caller.ts";
import { perMinute } from "../http/limits.ts";
import { allowed } from "../http/rateLimit.ts";
import { Refusal } from "../http/refusal.ts";
import { isFromElsewhere } from "../http/sameOrigin.ts";
import { invalidSession } from "../identity/authenticate.ts";
import type { Cookies } from "../identity/cookies.ts";
import type { Sessions } from "../identity/sessions.ts";
import type { EventFeed } from "../store/events.ts";
import { newId } from "../store/id.ts";
import { makeConversation } from "./conversation.ts";
import { writeMessage } from "./messages.ts";
import { type Seat, type SocketHub, tryAgainLater } from "./socketHub.ts";
import { checkEveryMs, unreadBytes } from "./socketLimits.ts";

export interface SocketRouteParts {
  readonly hub: SocketHub;
  readonly feed: Pick<EventFeed, "changes$">;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly publicUrl: string;
}

interface WithToken {
  Querystring: { token?: unknown };
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString("utf8");

/**
 * The socket at /ws (RT1 to RT3). Who opens it is settled before it is open: a page of this origin, the token in the
 * query and the cookie it is bound to. Then the server pushes `data_update` for whatever changes for that user, and
 * closes with 1008 when the session ends.
 */
export const socketRoutes = ({
  hub,
  feed,
  sessions,
  cookies,
  clock,
  random,
  publicUrl,
}: SocketRouteParts) => {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const answering = new WeakSet<WebSocket>();

  const identify = async (request: FastifyRequest<WithToken>): Promise<void> => {
    if (isFromElsewhere(request, publicUrl)) throw new Refusal(403, "Sockets are for pages of this site.");
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
    const send: (message: Parameters<typeof writeMessage>[0]) => void = (message) => {
      if (socket.bufferedAmount > unreadBytes) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(writeMessage(message, clock.now()));
    };
    const seat: Seat = { ...caller, send, close: (code, reason) => socket.close(code, reason) };
    if (!hub.join(seat)) {
      socket.close(tryAgainLater, "Too many sockets are open");
      return;
    }
    const talk = makeConversation({ sessions, clock, caller, cookie: cookies.session.read(request) });

    answering.add(socket);
    socket.on("pong", () => answering.add(socket));
    socket.on("close", () => hub.leave(seat));
    socket.on("message", async (data, isBinary) => {
      answering.add(socket);
      const { say, close } = await talk(isBinary ? "" : textOf(data));
      if (say) send(say);
      if (close) socket.close(close.code, close.reason);
    });
    send({ type: "connection_established", data: { connectionId: newId(random), userId: caller.userId } });
  };

  return (fastify: FastifyInstance): void => {
    fastify.route<WithToken>({
      method: "GET",
      url: "/ws",
      config: { rateLimit: { max: allowed(perMinute.verify) } },
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
