import type { FastifyInstance } from "fastify";
import type { ServerContext } from "../context/serverContext.ts";
import type { Outbox } from "../delivery/queue/outbox.ts";
import { isTokenValid } from "../features/apiTokens/apiTokenQueries.ts";
import { inboundRoutes } from "../features/inbound/inboundRoutes.ts";
import { endedSession } from "../features/session/sessions.ts";
import { isLoopbackOrigin } from "../platform/config/loopbackOrigin.ts";
import { createIsInNetworks } from "../platform/dns/networkRanges.ts";
import { eventStreamRoutes } from "../platform/events/eventStreamRoutes.ts";
import { createHttpServer } from "../platform/http/httpServer.ts";
import { metricsRoute } from "../platform/http/metricsRoute.ts";
import { mtaStsRoute, serviceRoutes } from "../platform/http/serviceRoutes.ts";
import type { Tracing } from "../platform/ops/tracing.ts";
import { SocketHub } from "../platform/socket/socketHub.ts";
import { socketRoutes } from "../platform/socket/socketRoutes.ts";
import type { Intake } from "../relay/receive/intake.ts";
import { clientConfiguration } from "./clientConfiguration.ts";
import type { Features } from "./features.ts";
import type { ServerMetrics } from "./metrics.ts";

/** The dependencies of the HTTP server beside the features. */
export interface HttpAppOptions {
  readonly pageFolder: string;
  /** Null when a next hop delivers the mail. */
  readonly outbox: Outbox | null;
  readonly metrics: ServerMetrics;
  readonly tracing: Pick<Tracing, "request">;
  /** True while new data may be stored. */
  readonly hasRoom: () => boolean;
  /** Takes mail that a service hands over. */
  readonly intake: Intake | null;
}

type Routes = (fastify: FastifyInstance) => void;

const socketOf = (
  { config, clock, random, feed }: ServerContext,
  { all, session: { sessions }, cookies }: Features,
): Routes => {
  const features = all.flatMap(({ socket = [] }) => socket);
  const handlers = all.flatMap(({ handleMessage }) => handleMessage ?? []);
  const [handleFeatureMessage] = handlers;
  if (!handleFeatureMessage || handlers.length > 1)
    throw new Error("exactly one feature must handle the messages of clients");
  return socketRoutes({
    hub: new SocketHub({ features, endedSession, clock }),
    features,
    handleFeatureMessage,
    feed,
    sessions,
    readSessionCookie: cookies.session.read,
    clock,
    random,
    origins: { publicUrl: config.publicUrl, corsOrigins: config.corsOrigins },
  });
};

const eventStreamOf = (context: ServerContext, { all, authGuard }: Features): Routes => {
  const { database, clock } = context;
  return eventStreamRoutes({
    ...context,
    features: all.flatMap(({ socket = [] }) => socket),
    authGuard,
    isTokenValid: (id) => isTokenValid(database.db, id, clock.now()),
  });
};

const originOf = (address: string | null): readonly string[] =>
  address === null ? [] : [new URL(address).origin];

/** Creates the HTTP server with all routes; it does not listen yet. */
export const createHttpApp = async (
  context: ServerContext,
  features: Features,
  { pageFolder, outbox, metrics, tracing, hasRoom, intake }: HttpAppOptions,
): Promise<FastifyInstance> => {
  const { config, log, health } = context;
  const { brand, publicUrl, corsOrigins, trustedProxies } = config;
  const { takesPayments } = features;
  for (const { measure } of features.all) measure?.(metrics.registry);
  const configuration = clientConfiguration(config, takesPayments);
  const outboxPages =
    outbox !== null && isLoopbackOrigin(publicUrl)
      ? [(await import("../delivery/queue/outboxRoutes.ts")).outboxRoutes({ brand, publicUrl, outbox })]
      : [];

  return createHttpServer({
    log,
    metrics: metrics.registry,
    rates: context.rates,
    clock: context.clock,
    tracing,
    configuration,
    publicUrl,
    corsOrigins,
    trustedProxies,
    isProxy: createIsInNetworks(trustedProxies),
    pageFolder,
    takesPayments,
    hasRoom,
    connectOrigins: [config.devReloadOrigin, config.sentryDsn, config.telemetryEndpoint].flatMap(originOf),
    compatibleApis: features.all.flatMap(({ compatibleApi }) => compatibleApi ?? []),
    routes: [
      serviceRoutes({ configuration, health }),
      mtaStsRoute(config.maskDomain),
      metricsRoute({ read: metrics.read, token: config.metrics.token }),
      ...features.all.flatMap(({ routes = [] }) => routes),
      ...(config.inbound && intake ? [inboundRoutes({ ...context, ...config.inbound, intake })] : []),
      socketOf(context, features),
      eventStreamOf(context, features),
      ...outboxPages,
    ],
  });
};
