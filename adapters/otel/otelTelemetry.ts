import { randomHex } from "../../core/ports/random.ts";
import type { Telemetry } from "../../core/ports/telemetry.ts";
import type { OtlpClient } from "./otlpClient.ts";
import type { Collector } from "./otlpRecords.ts";

type Library = typeof import("./otlpClient.ts");

/** Loads the client of the collector; only telemetry needs it. */
export const loadOtlpClient = (): Promise<Library> => import("./otlpClient.ts");

const noTelemetry: Telemetry = { event: () => {}, span: () => () => {} };

/**
 * Sends telemetry to an OpenTelemetry collector (OTLP over HTTP); without an endpoint it is discarded. `load` loads
 * the client with the first record; records are lost when that fails.
 */
export const createOtelTelemetry = (
  endpoint: string | undefined,
  deps: Omit<Collector, "endpoint">,
  load: () => Promise<Library>,
): Telemetry => {
  if (!endpoint) return noTelemetry;
  const { clock, random } = deps;
  let client: OtlpClient | undefined;
  const withClient = (use: (client: OtlpClient) => void): void =>
    void load().then(
      ({ createOtlpClient }) => {
        client ??= createOtlpClient({ ...deps, endpoint });
        use(client);
      },
      () => {},
    );
  return {
    event: (name, attributes) => {
      const at = clock.now();
      withClient(({ event }) => event({ name, at, attributes }));
    },
    span: (name, attributes, traceId) => {
      const startedAt = clock.now();
      return (outcome) => {
        const endedAt = clock.now();
        withClient(({ span }) =>
          span({
            traceId: traceId ?? randomHex(random, 16),
            spanId: randomHex(random, 8),
            name,
            startedAt,
            endedAt,
            attributes: { ...attributes, ...outcome },
          }),
        );
      };
    },
  };
};
