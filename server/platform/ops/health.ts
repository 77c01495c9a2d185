/** The readiness of the server. */
export interface Health {
  /** The readiness of each part by name. */
  readonly parts: Readonly<Record<string, boolean>>;
  /** The problems that are known, as sentences for the operator. */
  readonly problems: readonly string[];
}

/** A health as its routes answer it. */
export interface HealthAnswer {
  readonly status: "ready" | "not ready";
  readonly parts: Record<string, boolean>;
  readonly problems?: readonly string[];
}

/** Returns what GET /healthz answers: ready when all parts are. */
export const toHealthAnswer = ({ parts, problems }: Health): HealthAnswer => ({
  status: Object.values(parts).every(Boolean) ? "ready" : "not ready",
  parts: { ...parts },
  ...(problems.length > 0 && { problems }),
});

/** Returns what GET /readyz answers: ready to take requests and mail. Delivery works off the queue by itself. */
export const toReadiness = ({ parts: { delivery: _, ...parts }, problems }: Health): HealthAnswer =>
  toHealthAnswer({ parts, problems });
