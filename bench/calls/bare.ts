import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { fastify } from "fastify";

// The reference: a route that sends the same bytes from memory, in a thread of its own.

const { body, etag } = workerData as { readonly body: string; readonly etag: string };

const server = fastify();
server.get("/masks", (request, reply) =>
  etag !== "" && request.headers["if-none-match"] === etag
    ? reply.code(304).send()
    : reply.type("application/json; charset=utf-8").header("etag", etag).send(body),
);
await server.listen({ port: 0, host: "127.0.0.1" });
parentPort?.postMessage((server.server.address() as AddressInfo).port);
