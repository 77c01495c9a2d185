import type { FastifyInstance } from "fastify";
import { type ClientConfiguration, getConfiguration, getHealth } from "../../core/api/configuration.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type ProductCounts, readProductCounts } from "../ops/productCounts.ts";
import type { Database } from "../store/database.ts";
import { HttpError } from "./httpError.ts";
import { isOpenedLocally } from "./loopback.ts";
import { route } from "./route.ts";

/** One Prometheus metric with its values. */
interface Metric {
  readonly name: string;
  readonly kind: "gauge" | "counter";
  readonly help: string;
  /** The values by label value; the key is "" for a metric without a label. */
  readonly values: Readonly<Record<string, number>>;
  readonly label?: string;
}

const formatMetric = ({ name, kind, help, values, label }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...Object.entries(values).map(([of, value]) =>
      label === undefined ? `${name} ${value}` : `${name}{${label}="${of}"} ${value}`,
    ),
  ].join("\n");

/**
 * Formats metrics in the Prometheus text format, version 0.0.4. Label values are not escaped, so they must
 * not contain user input.
 */
const formatMetrics = (metrics: readonly Metric[]): string => `${metrics.map(formatMetric).join("\n")}\n`;

export interface MetricsRouteDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly health: () => Promise<Readonly<Record<string, boolean>>>;
}

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  kind: "gauge",
  values: { "": value },
});

const mailMetrics = (
  { users, masks, mails, waitingSince }: ProductCounts,
  now: number,
): readonly Metric[] => [
  gauge("bauta_users", "Number of accounts.", users),
  gauge("bauta_masks", "Number of masks.", masks),
  {
    name: "bauta_mails",
    help: "Mails in the queue, and mails that left it in the last 7 days.",
    kind: "gauge",
    label: "status",
    values: mails,
  },
  gauge(
    "bauta_oldest_waiting_mail_seconds",
    "Age of the oldest waiting mail in seconds; 0 without waiting mail.",
    waitingSince === null ? 0 : Math.max(0, Math.floor((now - waitingSince) / 1_000)),
  ),
];

const processMetrics = (): readonly Metric[] => {
  const { user, system } = process.cpuUsage();
  return [
    gauge("process_resident_memory_bytes", "Resident memory in bytes.", process.memoryUsage.rss()),
    gauge("process_uptime_seconds", "Seconds since the process started.", process.uptime()),
    {
      name: "process_cpu_seconds_total",
      help: "Processor time used, in seconds.",
      kind: "counter",
      values: { "": (user + system) / 1_000_000 },
    },
  ];
};

/**
 * Registers GET /metrics, which returns counts without personal data in the Prometheus text format. Answers
 * 404 to requests that do not come from this machine.
 */
export const metricsRoute =
  ({ database, clock, health }: MetricsRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const responses = { "1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 };
    fastify.addHook("preParsing", async (request) => {
      if (!isOpenedLocally(request)) throw new HttpError(404, "There is nothing here.");
    });
    fastify.server.on("request", (_request, response) =>
      response.once("finish", () => {
        const kind = `${Math.floor(response.statusCode / 100)}xx`;
        if (kind in responses) responses[kind as keyof typeof responses] += 1;
      }),
    );

    fastify.get("/metrics", async (_request, reply) => {
      const ready = Object.entries(await health()).map(([part, isReady]) => [part, Number(isReady)] as const);
      const metrics: readonly Metric[] = [
        {
          name: "bauta_ready",
          help: "Whether a part of the server is ready (1) or not (0).",
          kind: "gauge",
          label: "part",
          values: Object.fromEntries(ready),
        },
        ...mailMetrics(await readProductCounts(database.db), clock.now()),
        {
          name: "bauta_http_answers_total",
          help: "HTTP responses by status class.",
          kind: "counter",
          label: "status",
          values: responses,
        },
        gauge("bauta_sockets", "Open WebSockets.", fastify.websocketServer.clients.size),
        ...processMetrics(),
      ];
      return reply.type("text/plain; version=0.0.4; charset=utf-8").send(formatMetrics(metrics));
    });
  };

export interface ServiceRouteDeps {
  readonly configuration: ClientConfiguration;
  /** Returns the readiness of each part of the server by name. */
  readonly health: () => Promise<Readonly<Record<string, boolean>>>;
}

/** Registers GET /config.json (client configuration) and GET /healthz (readiness of the server). */
export const serviceRoutes =
  ({ configuration, health }: ServiceRouteDeps) =>
  (fastify: FastifyInstance): void => {
    route(fastify, getConfiguration, async () => configuration);
    route(fastify, getHealth, async ({ reply }) => {
      const parts = await health();
      const ready = Object.values(parts).every(Boolean);
      if (!ready) reply.code(503);
      return { status: ready ? "ready" : "not ready", parts: { ...parts } };
    });
  };
