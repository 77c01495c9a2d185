import type { FastifyInstance } from "fastify";
import type { Clock } from "../../core/ports/clock.ts";
import type { Database } from "../store/database.ts";
import { type FiguresOfAll, figuresOfAll } from "../store/figuresOfAll.ts";
import { isOpenedHere } from "./loopback.ts";
import { type Metric, writeMetrics } from "./metrics.ts";
import { Refusal } from "./refusal.ts";

export interface MetricsRouteParts {
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

const mailMetrics = ({ users, masks, mails, waitingSince }: FiguresOfAll, now: number): readonly Metric[] => [
  gauge("bauta_users", "Accounts.", users),
  gauge("bauta_masks", "Masks.", masks),
  {
    name: "bauta_mails",
    help: "Mails in the queue, and those that left it in the last 7 days.",
    kind: "gauge",
    label: "status",
    values: mails,
  },
  gauge(
    "bauta_oldest_waiting_mail_seconds",
    "How long the mail has waited that waits longest; 0 when none does.",
    waitingSince === null ? 0 : Math.max(0, Math.floor((now - waitingSince) / 1_000)),
  ),
];

const processMetrics = (): readonly Metric[] => {
  const { user, system } = process.cpuUsage();
  return [
    gauge("process_resident_memory_bytes", "Memory in use.", process.memoryUsage.rss()),
    gauge("process_uptime_seconds", "Seconds since the start.", process.uptime()),
    {
      name: "process_cpu_seconds_total",
      help: "Time of the processor used.",
      kind: "counter",
      values: { "": (user + system) / 1_000_000 },
    },
  ];
};

/**
 * GET /metrics (D60): figures for the operator's monitor in Prometheus' text format. None is about anybody in
 * particular. To whoever is not at this very machine the address does not exist.
 */
export const metricsRoute =
  ({ database, clock, health }: MetricsRouteParts) =>
  (fastify: FastifyInstance): void => {
    const answers = { "1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 };
    fastify.addHook("preParsing", async (request) => {
      if (!isOpenedHere(request)) throw new Refusal(404, "There is nothing here.");
    });
    fastify.server.on("request", (_request, response) =>
      response.once("finish", () => {
        const kind = `${Math.floor(response.statusCode / 100)}xx`;
        if (kind in answers) answers[kind as keyof typeof answers] += 1;
      }),
    );

    fastify.get("/metrics", async (_request, reply) => {
      const ready = Object.entries(await health()).map(([part, isReady]) => [part, Number(isReady)] as const);
      const metrics: readonly Metric[] = [
        {
          name: "bauta_ready",
          help: "Whether a part of the server works.",
          kind: "gauge",
          label: "part",
          values: Object.fromEntries(ready),
        },
        ...mailMetrics(await figuresOfAll(database.db), clock.now()),
        {
          name: "bauta_http_answers_total",
          help: "Answers by their kind of status.",
          kind: "counter",
          label: "status",
          values: answers,
        },
        gauge("bauta_sockets", "Open sockets.", fastify.websocketServer.clients.size),
        ...processMetrics(),
      ];
      return reply.type("text/plain; version=0.0.4; charset=utf-8").send(writeMetrics(metrics));
    });
  };
