import type { FastifyInstance } from "fastify";
import { makeHttpServer } from "../http/httpServer.ts";
import { isLoopbackOrigin } from "../http/loopback.ts";
import { metricsRoute } from "../http/metricsRoute.ts";
import { outboxRoutes } from "../http/outboxRoutes.ts";
import { serviceRoutes } from "../http/serviceRoutes.ts";
import { makeAnnounce } from "../socket/announcement.ts";
import { makeSocketHub } from "../socket/socketHub.ts";
import { socketRoutes } from "../socket/socketRoutes.ts";
import { clientConfiguration } from "./clientConfiguration.ts";
import { makeGround } from "./ground.ts";
import { identityRoutes } from "./identityRoutes.ts";
import { mailRoutes } from "./mailRoutes.ts";
import type { SiteParts } from "./siteParts.ts";

const originOf = (address: string | null): readonly string[] =>
  address === null ? [] : [new URL(address).origin];

/** Everything that answers over HTTP, put together; silent until it is told to listen. */
export const makeSite = (parts: SiteParts): Promise<FastifyInstance> => {
  const { config, database, log, health, outbox, pageFolder } = parts;
  const { brand, publicUrl, corsOrigins, trustedProxies } = config;
  const ground = makeGround(parts);
  const takesPayments = ground.billing !== null;
  const hub = makeSocketHub(makeAnnounce(database), parts.clock);
  const isOutboxShown = outbox !== null && isLoopbackOrigin(publicUrl);

  return makeHttpServer({
    ...{ log, brand, publicUrl, corsOrigins, trustedProxies, pageFolder, takesPayments },
    connectTo: [config.devReloadOrigin, config.sentryDsn, config.telemetryEndpoint].flatMap(originOf),
    routes: [
      serviceRoutes({ configuration: clientConfiguration(config, takesPayments), health }),
      metricsRoute(parts),
      ...identityRoutes(ground),
      ...mailRoutes(ground, config),
      socketRoutes({ ...ground, hub, origins: config }),
      ...(isOutboxShown ? [outboxRoutes({ brand, outbox })] : []),
    ],
  });
};
