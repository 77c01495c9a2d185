import { randomHex } from "../../core/ports/random.ts";
import type { Telemetry } from "../../core/ports/telemetry.ts";
import type { Collector } from "./collector.ts";
import type { OtlpClient } from "./otlpClient.ts";

/** Tells nobody. */
const silentTelemetry: Telemetry = { event: () => {}, span: () => () => {} };

/**
 * Tells an OpenTelemetry collector over HTTP, in OTLP; without one, nobody. The code for it is fetched with the first
 * thing there is to tell. What is told until that code is here is told then; what it cannot be fetched for is lost.
 */
export const makeOtelTelemetry = (
  endpoint: string | undefined,
  needs: Omit<Collector, "endpoint">,
): Telemetry => {
  if (!endpoint) return silentTelemetry;
  const { clock, random } = needs;
  let client: Promise<OtlpClient | null> | undefined;
  const load = (): Promise<OtlpClient | null> =>
    import("./otlpClient.ts").then(
      ({ makeOtlpClient }) => makeOtlpClient({ ...needs, endpoint }),
      () => {
        client = undefined;
        return null;
      },
    );
  const tell = (say: (client: OtlpClient) => void): void => {
    client ??= load();
    void client.then((loaded) => loaded && say(loaded));
  };
  return {
    event: (name, attributes) => {
      const at = clock.now();
      tell(({ event }) => event({ name, at, attributes }));
    },
    span: (name, attributes) => {
      const startedAt = clock.now();
      return (outcome) => {
        const endedAt = clock.now();
        tell(({ span }) =>
          span({
            traceId: randomHex(random, 16),
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
