import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect } from "chai";
import type { FastifyInstance, InjectOptions } from "fastify";
import { stripeSettings } from "../../support/stripeStandIn.ts";
import { startServer, type TestServer } from "../support/startServer.ts";

interface Route {
  readonly method: NonNullable<InjectOptions["method"]>;
  readonly url: string;
}

const outbox = { list: async () => [], read: async () => null };
const most = 1_300;

describe("every address of the server", function () {
  this.timeout(120_000);
  const routes: Route[] = [];
  let fastify: FastifyInstance;
  let server: TestServer;

  const listen = (message: unknown): void => {
    ({ fastify } = message as { fastify: FastifyInstance });
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one as Route["method"], url });
    });
  };

  before(async () => {
    subscribe("fastify.initialization", listen);
    server = await startServer({
      outbox,
      corsOrigins: ["https://app.example.org"],
      billing: { ...stripeSettings, apiBase: "http://127.0.0.1:1" },
    });
    unsubscribe("fastify.initialization", listen);
  });
  after(() => server.stop());

  /** What a stranger is answered who asks again and again. */
  const flood = async ({ method, url }: Route, stranger: string) => {
    for (let count = 0; count < most; count++) {
      const answer = await fastify.inject({
        method,
        url: url.replace(/:\w+(\([^/]*\))?/g, "x.svg").replace("*", "x"),
        headers: { accept: count % 2 ? "text/html" : "application/json", origin: "https://evil.example" },
        remoteAddress: stranger,
      });
      if (answer.statusCode === 429) return answer;
    }
    return undefined;
  };

  it("is limited: who asks too often gets 429 and is told when to come back", async () => {
    expect(routes.map(({ method, url }) => `${method} ${url}`)).to.include.members([
      "GET /",
      "GET /assets/*",
      "GET /outbox/:id",
      "OPTIONS /*",
      "POST /confirm",
      "POST /auth/refresh-token",
      "PUT /notifications/read",
      "DELETE /account/sessions/:id",
      "GET /ws",
      "POST /webhooks/stripe",
    ]);
    for (const [index, route] of [...routes, { method: "GET", url: "/nothing" } as const].entries()) {
      const name = `${route.method} ${route.url}`;
      const answer = await flood(route, `203.0.113.${index}`);
      expect(answer?.statusCode, name).to.equal(429);
      const wait = Number(answer?.headers["retry-after"]);
      expect(wait, name).to.be.within(1, 60);
      if (route.method !== "HEAD")
        expect(answer?.json(), name).to.deep.equal({
          message: "Too many requests. Please try again in a moment.",
        });
    }
  });
});
