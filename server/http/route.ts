import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { Codec, Endpoint } from "../../core/contract/endpoint.ts";
import type { Authenticate, Caller } from "./caller.ts";
import { fieldProblemsOf } from "./fieldProblems.ts";
import { perMinute } from "./limits.ts";
import type { Keep, Once, WrittenAnswer } from "./once.ts";
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
export interface SignedInCall<Params, Body, Answer> extends Call<Params, Body> {
  readonly caller: Caller;
  /**
   * To be called last in the transaction of a write, with the answer: a repeated request is answered with it. A write
   * that does not is remembered right after, which a crash in between forgets.
   */
  readonly keep: Keep<Answer>;
}

/** What a request of somebody signed in passes: who is calling, and whether it was carried out before. */
export interface Door {
  readonly authenticate: Authenticate;
  readonly once: Once;
}

export interface RouteOptions {
  /** Requests a minute from one address. */
  readonly perMinute?: number;
  /** Of the answer; 200 unless told. */
  readonly status?: number;
}

/** The same for an endpoint of a signed-in user. */
export interface SignedInOptions<Answer> extends RouteOptions {
  /** The answer's ETag, with its quotes (RFC 9110, 8.8.3); a repeated request gets the same. */
  readonly etag?: (answer: Answer) => string | undefined;
  /** Nothing is left to keep the answer with: whoever asked is gone. */
  readonly isLast?: true;
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
  const found = fieldProblemsOf(result.left);
  const errors = found.map(({ field, message }) => ({
    field,
    message: field === "" ? "The request body must be a JSON object." : message,
  }));
  throw new Refusal(400, errors[0]?.message ?? "The request could not be read.", { errors });
};

const shorthand = (options: RouteOptions, page: boolean): RouteShorthandOptions => ({
  config: { page, rateLimit: { max: allowed(options.perMinute ?? perMinute.anything) } },
});

const input = <Params, Body, Answer>(
  endpoint: Endpoint<Params, Body, Answer>,
  request: FastifyRequest,
): { readonly params: Params; readonly body: Body } => ({
  params: decoded(endpoint.params, { ...(request.query as object), ...(request.params as object) }),
  body: decoded(endpoint.body, request.body),
});

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
    handler: async (request, reply) => {
      const answer = await handler({ ...input(endpoint, request), request, reply });
      if (options.status) reply.code(options.status);
      return endpoint.answer.encode(answer) ?? {};
    },
  });
};

/**
 * Answers an endpoint of a signed-in user. Who is calling is established before the body is read, so nobody
 * else gets as far as having a body looked at.
 */
export const routeSignedIn = <Params, Body, Answer>(
  fastify: FastifyInstance,
  { authenticate, once }: Door,
  endpoint: Endpoint<Params, Body, Answer>,
  handler: (call: SignedInCall<Params, Body, Answer>) => Promise<Answer>,
  options: SignedInOptions<Answer> = {},
): void => {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const write = (answer: Answer): WrittenAnswer => ({
    status: options.status ?? 200,
    body: JSON.stringify(endpoint.answer.encode(answer) ?? {}),
  });
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...shorthand(options, endpoint.method === "GET"),
    preParsing: async (request, reply) => {
      callers.set(request, await authenticate(request, reply));
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (!caller) throw new Error(`${endpoint.method} ${endpoint.path} was reached by nobody`);
      const call = { ...input(endpoint, request), request, reply, caller };
      const carryOut: Once = options.isLast ? (_request, _caller, work) => work(async () => {}) : once;
      const { status, body } = await carryOut(request, caller, async (keepWritten) => {
        const keep: Keep<Answer> = async (db, answer) => {
          await keepWritten(db, write(answer));
          return answer;
        };
        return write(await handler({ ...call, keep }));
      });
      const etag = options.etag?.(JSON.parse(body) as Answer);
      if (etag !== undefined) reply.header("etag", etag);
      return reply.code(status).type("application/json; charset=utf-8").send(body);
    },
  });
};
