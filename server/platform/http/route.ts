import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { Codec, Endpoint } from "../../../core/api/endpoint.ts";
import type { StoredAnswer } from "../answers/storedAnswer.ts";
import { describeFieldErrors } from "../errors/fieldErrors.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import type { AuthContext, TokenGrant } from "../store/authContext.ts";
import type { Db, Write } from "../store/database.ts";
import { type Authenticate, tokenNeeded } from "./authenticate.ts";
import { sendStoredAnswer } from "./conditionalAnswer.ts";
import type { DeprecatedCall } from "./deprecation.ts";
import { perMinute } from "./httpLimits.ts";
import type { EncodedAnswer, Idempotency } from "./idempotency.ts";
import { presentedToken } from "./presentedToken.ts";

/** A decoded request to an endpoint. */
export interface Call<Params, Body> {
  readonly params: Params;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A decoded request of a signed-in user, or of one of their API tokens. */
export interface SignedInCall<Params, Body> extends Call<Params, Body> {
  readonly auth: AuthContext;
}

/** A request whose handler reads, or opens transactions of its own. */
export interface OwnTransactionsCall<Params, Body, Answer> extends SignedInCall<Params, Body> {
  /** Stores the answer in a transaction of the handler; without it the answer is stored after the handler. */
  readonly storeAnswer: (tx: Db, answer: Answer) => Promise<void>;
}

/** A decoded request with the transaction that it writes in. On PostgreSQL it may run again: it changes nothing but rows. */
export interface WritingCall<Params, Body> extends SignedInCall<Params, Body> {
  readonly tx: Db;
}

/** The authentication and idempotency checks of a request of a signed-in user. */
export interface AuthGuard {
  readonly authenticate: Authenticate;
  readonly idempotency: Pick<Idempotency, "run" | "write">;
  /** Rejects with 403 where the user of the session has neither signed in nor confirmed that it is them within five minutes. */
  readonly assertRecentlyProven: (auth: Pick<AuthContext, "callerId">) => Promise<void>;
}

export interface RouteOptions {
  /** The allowed requests per minute and client address. */
  readonly perMinute?: number;
  /** True if the request stores new data, which is refused while the disk is almost full. */
  readonly addsData?: true;
}

/** The options of an endpoint that requires a session. */
export interface SignedInOptions<Answer> extends RouteOptions {
  /** Returns the quoted ETag of the answer (RFC 9110, 8.8.3); a repeated request gets the same value. */
  readonly etag?: (answer: Answer) => string | undefined;
  /** The media type of an answer that is a text and not JSON. */
  readonly type?: string;
  /** The status of an answer, where it is not always that of the endpoint. */
  readonly statusOf?: (answer: Answer) => number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The sender of the request; null before that is proven. */
    auth: AuthContext | null;
  }
  interface FastifyContextConfig {
    /** True if a browser that requests HTML at this path gets the web app instead (D4). */
    page?: boolean;
    /** True if a request to this path stores new data. */
    addsData?: boolean;
    /** True if API tokens are accepted, from pages of all origins. */
    takesTokens?: boolean;
    /** The call at this path if it is to be replaced. */
    deprecated?: DeprecatedCall;
    /** True if the response goes on until one side ends it. */
    isStream?: boolean;
  }
}

/** Decodes client input; throws an "invalid" error that names every invalid field. */
const decode = <A>(codec: Pick<Codec<A>, "decode">, input: unknown): A => {
  const result = codec.decode(input);
  if (result._tag === "Right") return result.right;
  const found = describeFieldErrors(result.left);
  const errors = found.map(({ field, message }) => ({
    field,
    message: field === "" ? "The request body must be a JSON object." : message,
  }));
  throw new UseCaseError("invalid", errors[0]?.message ?? "The request could not be read.", { errors });
};

const toFastifyOptions = (
  {
    method,
    path,
    tokens,
    deprecation,
  }: Omit<Endpoint<unknown, unknown, unknown>, "params" | "body" | "answer">,
  options: RouteOptions,
  page: boolean,
): RouteShorthandOptions => ({
  config: {
    page,
    takesTokens: tokens !== "none",
    addsData: options.addsData ?? false,
    ...(deprecation && { deprecated: { method, path, deprecation } }),
    perMinute: options.perMinute ?? perMinute.anything,
  },
});

const decodeInput = <Params, Body, Answer>(
  endpoint: Endpoint<Params, Body, Answer>,
  request: FastifyRequest,
): { readonly params: Params; readonly body: Body } => ({
  params: decode(endpoint.params, { ...(request.query as object), ...(request.params as object) }),
  body: decode(endpoint.body, request.body),
});

/** Registers an endpoint without authentication. */
export const route = <Params, Body, Answer>(
  fastify: FastifyInstance,
  endpoint: Endpoint<Params, Body, Answer>,
  handler: (call: Call<Params, Body>) => Promise<Answer>,
  options: RouteOptions = {},
): void => {
  if (endpoint.authentication !== "none")
    throw new Error(`${endpoint.method} ${endpoint.path} requires a session; register it with routeSignedIn`);
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...toFastifyOptions(endpoint, options, false),
    handler: async (request, reply) => {
      reply.code(endpoint.status);
      const answer = await handler({ ...decodeInput(endpoint, request), request, reply });
      return endpoint.answer.encode(answer) ?? {};
    },
  });
};

/** Authenticates a request before its body is read; returns the result to its handler. */
const authenticated = (
  { authenticate }: AuthGuard,
  { tokens }: Pick<Endpoint<unknown, unknown, unknown>, "tokens">,
) => ({
  preParsing: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.auth = await authenticate(request, reply, tokens);
  },
  authOf: (request: FastifyRequest): AuthContext => {
    const { auth } = request;
    if (!auth) throw new Error(`${request.routeOptions.url} was reached without authentication`);
    return auth;
  },
});

/** Registers an endpoint whose answer is kept between requests of a signed-in user. */
export const routeStored = <Params, Answer>(
  fastify: FastifyInstance,
  authGuard: AuthGuard,
  endpoint: Endpoint<Params, void, Answer>,
  handler: (call: { readonly auth: AuthContext; readonly params: Params }) => Promise<StoredAnswer>,
): void => {
  const { preParsing, authOf } = authenticated(authGuard, endpoint);
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...toFastifyOptions(endpoint, {}, true),
    preParsing,
    handler: async (request, reply) => {
      const { params } = decodeInput(endpoint, request);
      return sendStoredAnswer(request, reply, await handler({ auth: authOf(request), params }));
    },
  });
};

/** Registers an endpoint that API tokens alone may call, and whose answer is a stream of text. */
export const routeStream = <Answer>(
  fastify: FastifyInstance,
  authGuard: Pick<AuthGuard, "authenticate">,
  endpoint: Endpoint<void, void, Answer>,
  handler: (call: {
    readonly auth: AuthContext & { readonly token: TokenGrant };
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  }) => Promise<Readable>,
): void => {
  const options = toFastifyOptions(endpoint, {}, false);
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    // A HEAD request would read the whole stream.
    exposeHeadRoute: false,
    config: { ...options.config, isStream: true },
    handler: async (request, reply) => {
      if (presentedToken(request) === undefined) throw tokenNeeded();
      const auth = await authGuard.authenticate(request, reply, endpoint.tokens);
      const { token } = auth;
      if (token === null) throw tokenNeeded();
      return reply
        .type("text/event-stream; charset=utf-8")
        .header("x-accel-buffering", "no")
        .send(await handler({ auth: { ...auth, token }, request, reply }));
    },
  });
};

/** Registers an endpoint whose answer is encoded by `execute`. Authentication happens before the body is read. */
const routeEncoded = <Params, Body, Answer>(
  fastify: FastifyInstance,
  authGuard: AuthGuard,
  endpoint: Endpoint<Params, Body, Answer>,
  execute: (
    call: SignedInCall<Params, Body>,
    encode: (answer: Answer) => EncodedAnswer,
  ) => Promise<EncodedAnswer>,
  options: SignedInOptions<Answer>,
): void => {
  const { preParsing, authOf } = authenticated(authGuard, endpoint);
  const { type } = options;
  const encode = (answer: Answer): EncodedAnswer => ({
    status: options.statusOf?.(answer) ?? endpoint.status,
    body: type === undefined ? JSON.stringify(endpoint.answer.encode(answer) ?? {}) : String(answer),
  });
  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...toFastifyOptions(endpoint, options, endpoint.method === "GET"),
    preParsing,
    handler: async (request, reply) => {
      const auth = authOf(request);
      if (endpoint.needsRecentProof) await authGuard.assertRecentlyProven(auth);
      const call = { ...decodeInput(endpoint, request), request, reply, auth };
      const { status, body } = await execute(call, encode);
      const etag = options.etag?.(JSON.parse(body) as Answer);
      if (etag !== undefined) reply.header("etag", etag);
      if (status === 204) return reply.code(status).send();
      return reply
        .code(status)
        .type(`${type ?? "application/json"}; charset=utf-8`)
        .send(body);
    },
  });
};

/** The options of an endpoint that does not write in the transaction of its route. */
export interface ReadingOptions<Answer> extends SignedInOptions<Answer> {
  /**
   * Says of a request other than GET that it reads only, or writes in several transactions or elsewhere. Its answer for
   * repetitions is stored after the handler, and lost if the process stops in between.
   */
  readonly answerStored?: "afterwards";
  /** Stores no answer, because the session no longer exists afterwards. */
  readonly endsSession?: true;
}

/** Registers an endpoint that requires a session or an API token, and does not write in one transaction (see `routeWrite`). */
export const routeSignedIn = <Params, Body, Answer>(
  fastify: FastifyInstance,
  authGuard: AuthGuard,
  endpoint: Endpoint<Params, Body, Answer>,
  handler: (call: OwnTransactionsCall<Params, Body, Answer>) => Promise<Answer>,
  options: ReadingOptions<Answer> = {},
): void => {
  const { method, path } = endpoint;
  if (method !== "GET" && !options.endsSession && options.answerStored === undefined)
    throw new Error(
      `${method} ${path} writes; register it with routeWrite, or say that its answer is stored afterwards`,
    );
  routeEncoded(
    fastify,
    authGuard,
    endpoint,
    async (call, encode) => {
      if (options.endsSession) return encode(await handler({ ...call, storeAnswer: async () => {} }));
      return authGuard.idempotency.run(call.request, call.auth, async (storeIn) =>
        encode(await handler({ ...call, storeAnswer: (tx, answer) => storeIn(tx, encode(answer)) })),
      );
    },
    options,
  );
};

/** Registers an endpoint like `routeWrite`, whose handler prepares outside of the transaction and returns the write. */
export const routePreparedWrite = <Params, Body, Answer>(
  fastify: FastifyInstance,
  authGuard: AuthGuard,
  endpoint: Endpoint<Params, Body, Answer>,
  prepare: (call: SignedInCall<Params, Body>) => Promise<Write<Answer>>,
  options: SignedInOptions<Answer> = {},
): void =>
  routeEncoded(
    fastify,
    authGuard,
    endpoint,
    (call, encode) =>
      authGuard.idempotency.write(call.request, call.auth, async () => {
        const write = await prepare(call);
        return async (tx) => encode(await write(tx));
      }),
    options,
  );

/**
 * Registers an endpoint that requires a session or an API token and writes in one transaction, which also stores the answer for
 * repetitions of the request. The event feed is woken after the commit.
 */
export const routeWrite = <Params, Body, Answer>(
  fastify: FastifyInstance,
  authGuard: AuthGuard,
  endpoint: Endpoint<Params, Body, Answer>,
  handler: (call: WritingCall<Params, Body>) => Promise<Answer>,
  options: SignedInOptions<Answer> = {},
): void =>
  routePreparedWrite(fastify, authGuard, endpoint, async (call) => (tx) => handler({ ...call, tx }), options);
