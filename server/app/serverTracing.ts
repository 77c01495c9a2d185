import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Config } from "../platform/config/config.ts";
import { createTracing, noTracing, type Tracing, type TracingDeps } from "../platform/ops/tracing.ts";

interface Ports {
  readonly clock: Clock;
  readonly random: Random;
}

/** Connects to a collector; what it returns takes spans without waiting. */
type ConnectCollector = (
  collector: Ports & {
    readonly endpoint: string;
    readonly serviceName: string;
    readonly environment: string;
  },
) => { readonly span: TracingDeps["send"] };

/** Creates the tracing that sends to the collector of the app's traces, if there is one. */
export const createServerTracing = (
  config: Pick<Config, "telemetryEndpoint" | "telemetryPercent" | "brand">,
  connect: ConnectCollector,
  ports: Ports,
): Tracing => {
  const { telemetryEndpoint: endpoint, telemetryPercent: percent, brand } = config;
  if (endpoint === null) return noTracing;
  const { span: send } = connect({
    endpoint,
    serviceName: `${brand} server`,
    environment: "production",
    ...ports,
  });
  return createTracing({ send, percent, ...ports });
};
