import type { Registry } from "@prometheus-io/client";
import type { FastifyInstance } from "fastify";
import type { CompatibleApi } from "../platform/http/compatibleApi.ts";
import type { Csrf } from "../platform/http/csrf.ts";
import type { AuthGuard } from "../platform/http/route.ts";
import type { Prune } from "../platform/ops/housekeeping.ts";
import type { Part } from "../platform/ops/lifecycle.ts";
import type { HandleFeatureMessage } from "../platform/socket/handleMessage.ts";
import type { SocketFeature } from "../platform/socket/socketFeature.ts";
import type { MailPart } from "../relay/mailPart.ts";
import type { ServerContext } from "./serverContext.ts";

/** The parts of HTTP by which requests prove their session. */
export interface SessionHttp {
  readonly csrf: Csrf;
  readonly authGuard: AuthGuard;
}

/** The server's context, and what features offer to each other. A feature adds its offer here, beside the declaration of it. */
export interface FeatureContext extends ServerContext, SessionHttp {}

/** The parts that a feature adds to the server. */
export interface Feature {
  /** Each registers endpoints. */
  readonly routes?: readonly ((fastify: FastifyInstance) => void)[];
  /** The API of another service that its routes belong to. */
  readonly compatibleApi?: CompatibleApi;
  /** The resources that clients can follow through the socket. */
  readonly socket?: readonly SocketFeature[];
  /** Handles the messages of clients that are the feature's own. */
  readonly handleMessage?: HandleFeatureMessage;
  /** The parts that run beside requests, in the order of their start. */
  readonly jobs?: readonly Part[];
  /** Its part in the way of a mail. */
  readonly mail?: MailPart;
  /** Adds what the feature counts to the metrics, before the server listens. */
  readonly measure?: (registry: Registry) => void;
  /** By name, each deletes what has expired, every ten minutes; no two features have the same name. */
  readonly prune?: Readonly<Record<string, Prune>>;
}

/** Creates a feature; nothing runs before its jobs start. */
export type CreateFeature = (context: FeatureContext) => Feature;
