import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { CompatibleApi } from "../platform/http/compatibleApi.ts";
import type { CookieJar } from "../platform/http/cookieJar.ts";
import type { Csrf } from "../platform/http/csrf.ts";
import type { AuthGuard } from "../platform/http/route.ts";
import type { Prune } from "../platform/ops/housekeeping.ts";
import type { Part } from "../platform/ops/lifecycle.ts";
import type { HandleFeatureMessage } from "../platform/socket/handleMessage.ts";
import type { SocketFeature } from "../platform/socket/socketFeature.ts";
import type { BillingServices } from "./billing/billingServices.ts";
import type { InsightServices } from "./insights/insightServices.ts";
import type { ServerContext } from "./serverContext.ts";
import type { sessionCookies } from "./session/sessionCookies.ts";
import type { SessionServices } from "./session/sessionServices.ts";

/** How requests prove their session. */
export interface SessionHttp {
  readonly cookies: Readonly<Record<keyof typeof sessionCookies, CookieJar>>;
  readonly csrf: Csrf;
  readonly authGuard: AuthGuard;
}

/** What a feature may use: the server's context, and what sessions, billing and insights offer to other features. */
export interface FeatureContext extends ServerContext, SessionHttp {
  readonly session: SessionServices;
  readonly billing: BillingServices;
  readonly insights: InsightServices;
}

/** What a feature adds to the server. */
export interface Feature {
  /** Each registers endpoints. */
  readonly routes?: readonly ((fastify: FastifyInstance) => void)[];
  /** The API of another service that its routes belong to. */
  readonly compatibleApi?: CompatibleApi;
  /** What clients can follow through the socket. */
  readonly socket?: readonly SocketFeature[];
  /** Handles the messages of clients that are the feature's own. */
  readonly handleMessage?: HandleFeatureMessage;
  /** What runs beside requests, in the order of its start. */
  readonly jobs?: readonly Part[];
  /** Adds what the feature counts to the metrics, before the server listens. */
  readonly measure?: (registry: Registry) => void;
  /** By name, each deletes what has expired, every ten minutes; no two features have the same name. */
  readonly prune?: Readonly<Record<string, Prune>>;
}

/** Creates a feature; nothing runs before its jobs start. */
export type CreateFeature = (context: FeatureContext) => Feature;
