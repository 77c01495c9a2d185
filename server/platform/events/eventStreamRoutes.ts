import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { getEvents, maxStreamsPerToken, maxStreamsPerUser } from "../../../core/realtime/eventStream.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import { type AuthGuard, routeStream } from "../http/route.ts";
import { EventStream, type EventStreamDeps } from "./eventStream.ts";

export interface EventStreamRouteDeps extends EventStreamDeps {
  readonly authGuard: Pick<AuthGuard, "authenticate">;
}

const retryAfterS = 30;

const tooManyStreams = (whose: string, most: number): UseCaseError =>
  new UseCaseError("too-often", `${whose} has ${most} streams open. Close one first.`, { retryAfterS });

/** The open streams of this process, by who has them. */
const createOpenStreams = () => {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add: (key: string, by: 1 | -1): void => {
      const count = (counts.get(key) ?? 0) + by;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
};

/** Registers GET /events. A stopping server ends every stream, and clients go on with the next by their last id. */
export const eventStreamRoutes =
  ({ authGuard, ...deps }: EventStreamRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const open = createOpenStreams();
    const streams = new Set<EventStream>();

    routeStream(fastify, authGuard, getEvents, async ({ auth, request, reply }) => {
      const { userId, token } = auth;
      if (open.of(token.id) >= maxStreamsPerToken) throw tooManyStreams("This API token", maxStreamsPerToken);
      if (open.of(userId) >= maxStreamsPerUser) throw tooManyStreams("This account", maxStreamsPerUser);
      const given = request.headers["last-event-id"];
      const stream = new EventStream(deps, {
        auth,
        lastEventId: typeof given === "string" && given !== "" ? given : null,
        cutOff: () => reply.raw.destroy(),
      });
      for (const key of [token.id, userId]) open.add(key, 1);
      streams.add(stream);
      reply.raw.once("close", () => {
        stream.stop();
        streams.delete(stream);
        for (const key of [token.id, userId]) open.add(key, -1);
      });
      return Readable.from(stream.texts());
    });

    fastify.addHook("preClose", async () => {
      for (const stream of streams) stream.end();
    });
  };
