import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";

/** Who is telling. */
export interface Resource {
  readonly serviceName: string;
  /** "production" or "development" (OB2). */
  readonly environment: string;
}

/** An OpenTelemetry collector, and what is needed to speak to it. */
export interface Collector extends Resource {
  /** Where it listens for OTLP over HTTP, without "/v1/traces". */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly random: Random;
}
