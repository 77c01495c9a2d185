import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { Codec, Endpoint } from "../../core/contract/endpoint.ts";
import { fieldErrorsOf } from "../../core/contract/fieldErrors.ts";
import type { Authenticate, Caller } from "./caller.ts";
import { perMinute } from "./limits.ts";
import { allowed } from "./rateLimit.ts";
import { Refusal } from "./refusal.ts";

/** One call of an endpoint, decoded. */
export interface Call<Params, Body> {
  readonly params: Params;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A call in the name of somebody who is signed in. */
export interface SignedInCall<Params, Body> extends Call<Params, Body> {
  readonly caller: Caller;
}

export interface RouteOptions {
  /** Requests a minute from one address. */
  readonly perMinute?: number;
  /** Of the answer; 200 unless told. */
  readonly status?: number;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a browser that asks this address for HTML gets the page instead (D4). */
    page?: boolean;
  }
}

/** Decodes what a client sent; throws the 400 that names every field which cannot be used. */
const decoded = <A>(codec: Pick<Codec<A>, "decode">, sent: unknown): A => {
  const result = codec.decode(sent);
  if (result._tag === "Right") return result.right;
  const found = fieldErrorsOf(result.left);
  const errors = found.map(({ field, message }) => ({
    field,
    message: field === "" ? "The request body must be a JSON object." : message,
  }));
  throw new Refusal(400, errors[0]?.message ?? "The request could not be read.", { errors });
};

const shorthand = (options: RouteOptions, page: boolean): RouteShorthandOptions => ({
  config: { page, rateLimit: { max: allowed(options.perMinute ?? perMinute.anything) } },
});

const answering =
  <Params, Body, Answer>(
    endpoint: Endpoint<Params, Body, Answer>,
    options: RouteOptions,
    answer: (call: Call<Params, Body>) => Promise<Answer>,
  ) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const params = decoded(endpoint.params, { ...(request.query as object), ...(request.params as object) });
    const body = decoded(endpoint.body, request.body);
    const answered = await answer({ params, body, request, reply });
    if (options.status) reply.code(options.status);
    return endpoint.answer.encode(answered) ?? {};
  };

/** Answers an endpoint that anyone may call: decodes the request, runs `handler`, encodes its answer. */
export const route = <Params, Body, Answer>(
  fastify: FastifyInstance,
  endpoint: Endpoint<Params, Body, Answer>,
  handler: (call: Call<Params, Body>) => Promise<Answer>,
  options: RouteOptions = {},
): void => {
  if (endpoint.authentication !== "none")
    throw new Error(`${endpoint.method} ${endpoint.path} needs a session: answer it with routeSignedIn`);
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...shorthand(options, false),
    handler: answering(endpoint, options, handler),
  });
};

/**
 * Answers an endpoint of a signed-in user. Who is calling is established before the body is read, so nobody
 * else gets as far as having a body looked at.
 */
export const routeSignedIn = <Params, Body, Answer>(
  fastify: FastifyInstance,
  authenticate: Authenticate,
  endpoint: Endpoint<Params, Body, Answer>,
  handler: (call: SignedInCall<Params, Body>) => Promise<Answer>,
  options: RouteOptions = {},
): void => {
  const callers = new WeakMap<FastifyRequest, Caller>();
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...shorthand(options, endpoint.method === "GET"),
    preParsing: async (request) => {
      callers.set(request, await authenticate(request));
    },
    handler: answering(endpoint, options, (call) => {
      const caller = callers.get(call.request);
      if (!caller) throw new Error(`${endpoint.method} ${endpoint.path} was reached by nobody`);
      return handler({ ...call, caller });
    }),
  });
};
