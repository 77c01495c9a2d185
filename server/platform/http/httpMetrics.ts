import type { ServerResponse } from "node:http";
import { Counter, Gauge, Histogram, type Registry } from "@prometheus-io/client";
import type { FastifyInstance } from "fastify";

const secondMs = 1_000;

/** Measures the requests of a server by the pattern of their route, never by their address, and its sockets. */
export const measureHttp = (fastify: FastifyInstance, registry: Registry): void => {
  const registers = [registry];
  const responses = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  new Counter({
    name: "bauta_http_answers_total",
    help: "HTTP responses by status class.",
    labelNames: ["status"],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(responses)) this.inc({ status: `${kind}xx` }, count);
    },
  });
  const requests = new Histogram({
    name: "bauta_http_request_seconds",
    help: "Time from an HTTP request to its response, by method and pattern of the route.",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  });
  new Gauge({
    name: "bauta_sockets",
    help: "Open WebSockets.",
    registers,
    collect() {
      this.set(fastify.websocketServer.clients.size);
    },
  });
  function count(this: ServerResponse): void {
    responses[Math.floor(this.statusCode / 100) as keyof typeof responses] += 1;
  }
  fastify.server.on("request", (_request, response) => response.on("finish", count));
  fastify.addHook("onResponse", ({ method, routeOptions: { url: route, config } }, reply, done) => {
    // What no route answers has a method that anybody may make up.
    const labels = route === undefined ? { method: "any", route: "none" } : { method, route };
    if (config.isStream !== true) requests.observe(labels, reply.elapsedTime / secondMs);
    done();
  });
};
