import type { FastifyInstance, onSendHookHandler } from "fastify";
import { anchorOf, type Deprecation, type Endpoint } from "../../../core/api/endpoint.ts";

/** A call that is to be replaced. */
export type DeprecatedCall = Pick<Endpoint<unknown, unknown, unknown>, "method" | "path"> & {
  readonly deprecation: Deprecation;
};

/**
 * Says of each answer of a deprecated call, errors too, since when it is so (RFC 9745), when the call may be gone (RFC 8594),
 * and where more is said.
 */
export const announceDeprecations = (fastify: FastifyInstance, publicUrl: string): void => {
  fastify.addHook("onRoute", (route) => {
    const deprecated = route.config?.deprecated;
    if (deprecated === undefined) return;
    const { since, until } = deprecated.deprecation;
    const headers = {
      deprecation: `@${Date.parse(since) / 1_000}`,
      ...(until !== undefined && { sunset: new Date(until).toUTCString() }),
      link: `<${publicUrl}/developers#${anchorOf(deprecated)}>; rel="deprecation"; type="text/html"`,
    };
    const announce: onSendHookHandler = (_request, reply, _payload, done) => {
      reply.headers(headers);
      done();
    };
    route.onSend = [...[route.onSend ?? []].flat(), announce];
  });
};
