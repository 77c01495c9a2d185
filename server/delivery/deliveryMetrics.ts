import { Counter, Gauge, Histogram, type Registry } from "@prometheus-io/client";
import { createLabelledCounter } from "../platform/metrics/labelledCounter.ts";
import type { OnResult } from "./deliverMail.ts";

const secondMs = 1_000;

/** Measures the attempts to deliver. */
export const createDeliveryMetrics = (registry: Registry): OnResult => {
  const count = createLabelledCounter(registry, {
    name: "bauta_deliveries_total",
    help: "Attempts to deliver by result: delivered, deferred (tried again later), bounced (given up), held for the owner.",
    label: "result",
    values: ["delivered", "deferred", "bounced", "held"],
  });
  const ages = new Histogram({
    name: "bauta_delivery_seconds",
    help: "Time from a mail's arrival, when it is stored, to its delivery.",
    buckets: [0.05, 0.25, 1, 5, 30, 120, 600, 3_600, 14_400, 86_400, 432_000],
    registers: [registry],
  });
  const resultOf = {
    delivered: "delivered",
    postponed: "deferred",
    failed: "bounced",
    held: "held",
  } as const;
  return (state, ageMs) => {
    count(resultOf[state]);
    if (state === "delivered") ages.observe(Math.max(0, ageMs) / secondMs);
  };
};

/** Figures of delivery to the mail servers of recipients, since the start. */
export interface OutgoingFigures {
  /** Returns the number of domains that have mail in progress, and of those that do not answer. */
  readonly domains: () => { readonly sending: number; readonly failing: number };
  /** Connections by the origin of the rule for their protection, and by result (RFC 8460). */
  readonly tlsSessions: () => readonly {
    readonly policy: string;
    readonly result: string;
    readonly count: number;
  }[];
}

/** Measures direct delivery. */
export const measureOutgoing = (registry: Registry, { domains, tlsSessions }: OutgoingFigures): void => {
  new Gauge({
    name: "bauta_recipient_domains",
    help: "Domains with mail in progress, and domains whose mail servers do not answer.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(domains())) this.set({ state }, count);
    },
  });
  new Counter({
    name: "bauta_tls_sessions_total",
    help: "Connections to mail servers, by policy (none, sts, dane) and result (RFC 8460, 4.3).",
    labelNames: ["policy", "result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { policy, result, count } of tlsSessions()) this.inc({ policy, result }, count);
    },
  });
};
