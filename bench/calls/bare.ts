import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";

// The reference: a route that sends the same bytes from memory, in a process of its own.

const [{ body, etag }] = (await once(process, "message")) as [{ body: string; etag: string }];

const server = fastify();
server.get("/masks", (request, reply) =>
  request.headers["if-none-match"] === etag
    ? reply.code(304).send()
    : reply.type("application/json; charset=utf-8").header("etag", etag).send(body),
);
await server.listen({ port: 0, host: "127.0.0.1" });
process.send?.((server.server.address() as AddressInfo).port);
process.once("disconnect", () => process.exit());
