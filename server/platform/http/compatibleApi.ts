import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../../../core/api/endpoint.ts";
import type { Write } from "../store/database.ts";
import type { ErrorReply } from "./httpError.ts";
import { isCompatibleCall } from "./presentedToken.ts";
import { parseJson } from "./requestParsing.ts";
import {
  type AuthGuard,
  type Call,
  type ReadingOptions,
  type RouteOptions,
  route,
  routePreparedWrite,
  routeSignedIn,
  routeWrite,
  type SignedInCall,
  type SignedInOptions,
  type WritingCall,
} from "./route.ts";

/** The API of another service, whose clients this server answers under paths and in the form that they know. */
export interface CompatibleApi {
  /** The prefix of its paths, as in "/api/"; of two that match, the longer one decides. */
  readonly prefix: string;
  /** Returns an error as its clients read it; the status may be another one. */
  readonly toError: (error: ErrorReply) => CompatibleError;
}

export interface CompatibleError {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the API that a path belongs to. */
export type FindCompatibleApi = (url: string) => CompatibleApi | undefined;

export const createFindCompatibleApi = (apis: readonly CompatibleApi[]): FindCompatibleApi => {
  const longestFirst = apis.toSorted((one, other) => other.prefix.length - one.prefix.length);
  return (url) => {
    const path = `${url.split("?", 1)[0]}/`;
    return longestFirst.find(({ prefix }) => path.startsWith(prefix));
  };
};

/** "/api", at the beginning of a path, in all spellings that the router takes for it. */
const compatiblePath = /^\/+(?:a|%61)(?:p|%70)(?:i|%69)(?=[/?]|$)/;

/**
 * Returns the path of a request to such an API as it is declared: clients join addresses that end with a slash with paths
 * that begin with one, and other paths stay as they are.
 */
export const toDeclaredUrl = (url: string): string => {
  if (!compatiblePath.test(url)) return url;
  const [, path = "", query = ""] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  return `${path
    .replace(compatiblePath, "/api")
    .replace(/\/{2,}/g, "/")
    .replace(/(?<=.)\/$/, "")}${query}`;
};

/** Lets requests to such APIs name any content type, also one that cannot be read: what they send is JSON or nothing. */
export const ignoreContentTypes = (fastify: FastifyInstance): void => {
  fastify.addHook("preParsing", (request, _reply, _payload, done) => {
    if (isCompatibleCall(request)) delete request.headers["content-type"];
    done();
  });
};

/** A row of the table of such an API's routes: an endpoint, its limits and what answers it. */
export type CompatibleRoute = (fastify: FastifyInstance, authGuard: AuthGuard) => void;

/** Returns the row of an endpoint that requires an API token or a session, and does not write in one transaction. */
export const signedIn =
  <Params, Body, Answer>(
    endpoint: Endpoint<Params, Body, Answer>,
    options: ReadingOptions<Answer>,
    handler: (call: SignedInCall<Params, Body>) => Promise<Answer>,
  ): CompatibleRoute =>
  (fastify, authGuard) =>
    routeSignedIn(fastify, authGuard, endpoint, handler, options);

/** Returns the row of an endpoint like `signedIn` that writes in one transaction, as `routeWrite` does. */
export const write =
  <Params, Body, Answer>(
    endpoint: Endpoint<Params, Body, Answer>,
    options: SignedInOptions<Answer>,
    handler: (call: WritingCall<Params, Body>) => Promise<Answer>,
  ): CompatibleRoute =>
  (fastify, authGuard) =>
    routeWrite(fastify, authGuard, endpoint, handler, options);

/** Returns the row of an endpoint like `write`, whose handler prepares outside of the transaction and returns the write. */
export const preparedWrite =
  <Params, Body, Answer>(
    endpoint: Endpoint<Params, Body, Answer>,
    options: SignedInOptions<Answer>,
    prepare: (call: SignedInCall<Params, Body>) => Promise<Write<Answer>>,
  ): CompatibleRoute =>
  (fastify, authGuard) =>
    routePreparedWrite(fastify, authGuard, endpoint, prepare, options);

/** Returns the row of an endpoint without authentication. */
export const open =
  <Params, Body, Answer>(
    endpoint: Endpoint<Params, Body, Answer>,
    options: RouteOptions,
    handler: (call: Call<Params, Body>) => Promise<Answer>,
  ): CompatibleRoute =>
  (fastify) =>
    route(fastify, endpoint, handler, options);

/** Registers the routes of such an API. A request without a body has an empty object. */
export const compatibleRoutes =
  (authGuard: AuthGuard, routes: readonly CompatibleRoute[]) =>
  (fastify: FastifyInstance): void => {
    const scoped = async (scope: FastifyInstance): Promise<void> => {
      scope.addContentTypeParser("*", { parseAs: "buffer" }, parseJson(scope));
      scope.addHook("preValidation", async (request) => {
        request.body ??= {};
      });
      for (const add of routes) add(scope, authGuard);
    };
    fastify.register(scoped);
  };
